# Where the services live and listen; sourced by up.sh and down.sh. Every line can be overridden from outside.
# shellcheck shell=bash disable=SC2034

DIR=${ENGRAM_SERVICES_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/nestjs-engram/services}
URLS=$DIR/urls.env
# Who runs the services, written before the first one starts, so that down.sh finds a start that was cut short.
PROVIDER_FILE=$DIR/provider
# Not the usual 5432 and 6379: those are the developer's own databases.
POSTGRES_PORT=${ENGRAM_SERVICES_POSTGRES_PORT:-55432}
REDIS_PORT=${ENGRAM_SERVICES_REDIS_PORT:-56379}

say() { printf 'services: %s\n' "$*"; }
fail() {
  printf 'services: %s\n' "$*" >&2
  exit 1
}

# One up or down at a time. The lock is held by an open file: it ends with the last process that inherited it, whatever
# killed the others. What is meant to stay (the servers) is started with 9>&-.
take_turn() {
  mkdir -p "$DIR"
  chmod 700 "$DIR"
  exec 9>"$DIR/lock"
  flock --nonblock 9 && return
  say "another up or down is at work in $DIR, waiting for it"
  flock 9
}

# Nothing of ours stays mounted; this is for what a machine without mount namespaces left behind, before files go.
unmount_below() {
  local target
  awk -v below="$1/" 'index($2, below) == 1 { print $2 }' /proc/self/mounts | sort -r |
    while read -r target; do umount "$target"; done
}
