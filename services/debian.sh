# Postgres and Redis from Debian's packages; sourced by up.sh and down.sh.
# SYSTEM is the root of the system that they are installed in: this machine (/), or a Debian 13 in a folder of ours.
# shellcheck shell=bash

PACKAGES=(postgresql-17 postgresql-17-pgvector redis-server)
TRIXIE=$DIR/trixie

# Root may not run Postgres, and a cache folder under /root is closed to everyone else. So as root the servers run under
# the packages' own account, with their data inside SYSTEM; the path is the same in both kinds.
if [ "$EUID" = 0 ]; then DATA=/var/lib/nestjs-engram-services; else DATA=$DIR/data; fi

# Runs a command inside SYSTEM as the account of the servers, with nothing of the caller's environment.
as_server() {
  local environment=(LC_ALL=C.UTF-8 PATH=/usr/lib/postgresql/17/bin:/usr/sbin:/usr/bin:/sbin:/bin)
  if [ "$EUID" = 0 ]; then
    env -i "${environment[@]}" chroot --userspec=postgres:postgres "$SYSTEM" "$@"
  else
    env -i "${environment[@]}" "$@"
  fi
}

debian_installed() {
  local system=${1%/}
  [ -x "$system/usr/lib/postgresql/17/bin/postgres" ] && [ -x "$system/usr/bin/redis-server" ] &&
    [ -e "$system/usr/share/postgresql/17/extension/vector.control" ]
}

debian_offers_packages() { apt-cache show postgresql-17-pgvector >/dev/null 2>&1; }

# Sets SYSTEM to one that has the packages, making it where that is needed.
debian_system() {
  SYSTEM=/
  debian_installed "$SYSTEM" && return
  command -v apt-get >/dev/null ||
    fail 'neither Docker nor apt-get is here. Start a Docker engine, or give ENGRAM_TEST_DATABASE_URL (a Postgres with pgvector) and ENGRAM_TEST_REDIS_URL.'
  if [ "$EUID" != 0 ]; then
    debian_offers_packages &&
      fail "packages are missing and installing them needs root. Run once: sudo apt-get install ${PACKAGES[*]}"
    fail 'this Debian has no pgvector package, and building one that has (debootstrap) needs root. Run services:up as root, start a Docker engine, or give ENGRAM_TEST_DATABASE_URL and ENGRAM_TEST_REDIS_URL.'
  fi
  SYSTEM=$TRIXIE
  [ -d "$SYSTEM" ] && return
  debian_offers_packages || quiet_apt update
  if debian_offers_packages; then
    SYSTEM=/
    install_packages "${PACKAGES[@]}"
  else
    build_trixie
  fi
}

quiet_apt() {
  DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 "$@" >"$DIR/apt.log" 2>&1 ||
    fail "apt-get $1 failed, see $DIR/apt.log. As root, with Debian's package mirror in reach, it should not."
}

# The packages would start servers of their own on the usual ports; policy-rc.d is how Debian is told not to.
install_packages() {
  say "installing $*"
  local policy=/usr/sbin/policy-rc.d
  if [ ! -e "$policy" ]; then
    trap 'rm -f /usr/sbin/policy-rc.d' EXIT
    printf '#!/bin/sh\nexit 101\n' >"$policy"
    chmod 755 "$policy"
  fi
  quiet_apt install --yes --no-install-recommends "$@"
}

# The pooler that a suite runs the store through. It speaks TCP, so it is taken from this machine's own Debian, of any
# version; without root or apt its suite is left out, and says so.
debian_pooler() {
  [ -x /usr/sbin/pgbouncer ] || [ "$EUID" != 0 ] || ! command -v apt-get >/dev/null && return
  apt-cache show pgbouncer >/dev/null 2>&1 || quiet_apt update
  install_packages pgbouncer
}

# Built under another name and renamed when complete, so a build that was killed is never taken for a system.
build_trixie() {
  local mirror partial=$TRIXIE.partial log=$DIR/debootstrap.log isolated=()
  command -v debootstrap >/dev/null || quiet_apt install --yes --no-install-recommends debootstrap
  mirror=$(debian_mirror)
  [ -n "$mirror" ] || fail 'apt knows no Debian mirror to build Debian 13 from. Name one in ENGRAM_SERVICES_MIRROR.'
  remove_system "$partial"

  # In namespaces of its own, mounts and processes of the build end with it; with ours too, however we end.
  if unshare --mount --pid --fork --mount-proc true 2>/dev/null; then
    isolated=(setpriv --pdeathsig KILL unshare --mount --pid --fork --kill-child --mount-proc)
  fi
  say "building a Debian 13 with ${PACKAGES[*]} in $TRIXIE, about a minute"
  # In the background, since a shell that waits for a foreground command does not hear Ctrl-C before that has ended.
  http_proxy=${http_proxy:-$(apt_proxy)} "${isolated[@]}" debootstrap --variant=minbase \
    --include="$(IFS=, && echo "${PACKAGES[*]}")" trixie "$partial" "$mirror" >"$log" 2>&1 &
  wait $! || fail "debootstrap failed, see $log. Its last line: $(tail -n 1 "$log")"
  unmount_below "$partial"
  rm -f "$partial"/var/cache/apt/archives/*.deb
  mv "$partial" "$TRIXIE"
}

# What apt itself uses here: a mirror is the machine's business, not this repository's.
debian_mirror() {
  if [ -n "${ENGRAM_SERVICES_MIRROR:-}" ]; then
    echo "$ENGRAM_SERVICES_MIRROR"
  else
    apt-get indextargets --format '$(REPO_URI)' 'Identifier: Packages' 'Origin: Debian' 'Label: Debian' | sed -n 1p
  fi
}

apt_proxy() {
  local proxy=
  eval "$(apt-config shell proxy Acquire::http::Proxy)"
  [ "$proxy" = DIRECT ] || echo "$proxy"
}

remove_system() {
  unmount_below "$1"
  rm -rf --one-file-system "$1"
}

debian_up() {
  debian_system
  echo "debian $SYSTEM" >"$PROVIDER_FILE"
  [ "$EUID" != 0 ] || chroot "$SYSTEM" install -d -o postgres -g postgres -m 700 "$DATA"
  as_server mkdir -p "$DATA/redis"
  as_server sh -c 'cd "$1" && umask 077 && { [ -s password ] || od -An -N24 -tx1 /dev/urandom | tr -d " \n" >password; }' \
    sh "$DATA"
  PASSWORD=$(as_server cat "$DATA/password")
  postgres_up
  redis_up
  debian_pooler
  write_urls "postgres://engram:$PASSWORD@127.0.0.1:$POSTGRES_PORT/postgres" "redis://:$PASSWORD@127.0.0.1:$REDIS_PORT"
}

debian_down() {
  [ ! -d "$SYSTEM" ] || {
    PASSWORD=$(as_server cat "$DATA/password" 2>/dev/null || true)
    redis_down
    postgres_down
  }
  unmount_below "$DIR"
}

port_is_free() { ! (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# Answers, on the port that it was started with. A process id alone is no proof: pg_ctl takes a zombie for a server.
postgres_runs() {
  as_server sh -c 'pg_ctl --pgdata="$1" status && pg_isready --host=127.0.0.1 --port="$(sed -n 4p "$1/postmaster.pid")"' \
    sh "$DATA/postgres" >/dev/null 2>&1
}

# In a container whose first process reaps nobody a killed server stays as a zombie, and Postgres would wait for its end.
forget_zombie() {
  local file=${SYSTEM%/}$DATA/postgres/postmaster.pid
  [ ! -e "$file" ] || ! grep -qs '^State:[[:space:]]*Z' "/proc/$(head -n 1 "$file")/status" || rm "$file"
}

# The password is asked for even on loopback: a superuser's connection is a shell under the account of the server.
postgres_up() {
  local options="-c listen_addresses=127.0.0.1 -c port=$POSTGRES_PORT -c unix_socket_directories= -c max_connections=200"
  postgres_runs && return
  if ! as_server test -d "$DATA/postgres"; then
    # Renamed when complete, like the system above.
    as_server rm -rf "$DATA/postgres.partial"
    as_server initdb --pgdata="$DATA/postgres.partial" --username=engram --pwfile="$DATA/password" \
      --auth=scram-sha-256 --encoding=UTF8 --locale=C.UTF-8 >"$DIR/initdb.log" 2>&1 ||
      fail "initdb failed, see $DIR/initdb.log."
    as_server mv "$DATA/postgres.partial" "$DATA/postgres"
  fi
  forget_zombie
  port_is_free "$POSTGRES_PORT" ||
    fail "port $POSTGRES_PORT is taken by another program. Choose a free one in ENGRAM_SERVICES_POSTGRES_PORT."
  # No /dev/shm is mounted in a system of ours.
  [ "$SYSTEM" = / ] || options+=' -c dynamic_shared_memory_type=sysv'
  [ "${ENGRAM_SERVICES_FAST:-}" != 1 ] || options+=' -c fsync=off -c synchronous_commit=off -c full_page_writes=off'
  options+=" ${ENGRAM_SERVICES_POSTGRES_OPTIONS:-}"
  as_server pg_ctl --pgdata="$DATA/postgres" --log="$DATA/postgres.log" --options="$options" --wait --timeout=300 start \
    >/dev/null 9>&- || fail "Postgres did not start, see ${SYSTEM%/}$DATA/postgres.log."
}

postgres_down() {
  postgres_runs || return 0
  as_server pg_ctl --pgdata="$DATA/postgres" --mode=fast --wait --timeout=300 stop >/dev/null
}

# On the port that it was started with, which need not be today's, and where by now a stranger may listen.
redis_says() {
  as_server env REDISCLI_AUTH="$PASSWORD" \
    sh -c 'port=$(sed -n "s/^port //p" "$1") && shift && timeout 60 redis-cli -h 127.0.0.1 -p "$port" "$@"' \
    sh "$DATA/redis.conf" "$@" 2>/dev/null
}

redis_runs() { [ "$(redis_says ping)" = PONG ]; }

# BullMQ needs noeviction; the queue of a test run needs no disk.
redis_up() {
  local tries
  redis_runs && return
  port_is_free "$REDIS_PORT" ||
    fail "port $REDIS_PORT is taken by another program. Choose a free one in ENGRAM_SERVICES_REDIS_PORT."
  as_server sh -c 'umask 077 && cat >"$1"' sh "$DATA/redis.conf" <<CONF
bind 127.0.0.1
port $REDIS_PORT
requirepass $PASSWORD
daemonize yes
dir "$DATA/redis"
logfile "$DATA/redis.log"
save ""
appendonly no
maxmemory-policy noeviction
CONF
  as_server redis-server "$DATA/redis.conf" 9>&-
  for ((tries = 0; tries < 600; tries++)); do
    redis_runs && return
    sleep 0.1
  done
  fail "Redis did not start, see ${SYSTEM%/}$DATA/redis.log."
}

redis_down() {
  redis_runs || return 0
  # It answers by closing the connection, or with an error that the wait below turns into a failure.
  redis_says shutdown nosave || true
  local tries
  for ((tries = 0; tries < 600; tries++)); do
    redis_runs || return 0
    sleep 0.1
  done
  fail "Redis did not stop, see ${SYSTEM%/}$DATA/redis.log."
}
