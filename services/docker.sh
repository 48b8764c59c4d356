# Postgres and Redis in containers; sourced by up.sh and down.sh.
# shellcheck shell=bash

docker_answers() {
  command -v docker >/dev/null && docker info >/dev/null 2>&1 && docker compose version >/dev/null 2>&1
}

docker_compose() {
  FSYNC=$([ "${ENGRAM_SERVICES_FAST:-}" = 1 ] && echo off || echo on) POSTGRES_PORT=$POSTGRES_PORT \
    REDIS_PORT=$REDIS_PORT docker compose --file "$(dirname "${BASH_SOURCE[0]}")/compose.yaml" "$@"
}

docker_up() {
  docker_answers || fail 'no Docker engine with Compose answers. Start one, or use ENGRAM_SERVICES_PROVIDER=debian.'
  echo docker >"$PROVIDER_FILE"
  docker_compose up --detach --wait 9>&- ||
    fail 'Docker Compose could not start the services. Look above for its reason, or use ENGRAM_SERVICES_PROVIDER=debian.'
  write_urls "postgres://engram:engram@127.0.0.1:$POSTGRES_PORT/engram" "redis://127.0.0.1:$REDIS_PORT"
}

docker_down() { docker_compose down --volumes; }
