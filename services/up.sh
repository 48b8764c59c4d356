#!/usr/bin/env bash
# Native Postgres with pgvector and Redis for tests and benchmarks: given ones, else Docker's, else Debian's packages.
# docs/services.md tells which is taken when, and what can be set.
set -euo pipefail
cd "$(dirname "$0")"
. ./settings.sh
. ./docker.sh
. ./debian.sh

# Complete or not there: a reader never sees half of it. It holds a password.
write_urls() {
  (umask 077 && printf 'ENGRAM_TEST_DATABASE_URL=%s\nENGRAM_TEST_REDIS_URL=%s\n' "$1" "$2" >"$URLS.partial")
  mv "$URLS.partial" "$URLS"
}

if [ -n "${ENGRAM_TEST_DATABASE_URL:-}${ENGRAM_TEST_REDIS_URL:-}" ]; then
  exec node check.mjs
fi

take_turn
if [ -e "$URLS" ] && node check.mjs 2>/dev/null; then
  exit
fi

case ${ENGRAM_SERVICES_PROVIDER:-} in
  docker | debian) "${ENGRAM_SERVICES_PROVIDER}_up" ;;
  '')
    if docker_answers; then
      # In a shell of its own, since it ends where it fails: an engine may be there, and its images out of reach, or its
      # ports on another machine.
      (docker_up) && node check.mjs && exit
      say "the Docker engine could not give them, so they come from Debian's packages"
      docker_down || true
      rm -f "$URLS"
    fi
    debian_up
    ;;
  *) fail "ENGRAM_SERVICES_PROVIDER=$ENGRAM_SERVICES_PROVIDER is unknown. Use docker or debian, or leave it out." ;;
esac
node check.mjs
