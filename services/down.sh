#!/usr/bin/env bash
# Stops what up.sh started. Services that were given by URL are left alone; packages and data stay for the next start.
set -euo pipefail
cd "$(dirname "$0")"
. ./settings.sh
. ./docker.sh
. ./debian.sh

take_turn
if [ ! -e "$PROVIDER_FILE" ]; then
  say 'nothing of ours is up'
  exit
fi
read -r provider SYSTEM <"$PROVIDER_FILE" || true
rm -f "$URLS"
"${provider}_down"
rm -f "$PROVIDER_FILE"
say 'down'
