import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '../support/free-port.js';

const SERVICES = fileURLToPath(new URL('../../services/', import.meta.url));
const CACHE = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
const PROVIDER = join(process.env['ENGRAM_SERVICES_DIR'] || join(CACHE, 'nestjs-engram', 'services'), 'provider');

/** Debian's packages are at hand: where Docker or somebody else runs the server, there are no programs to start another one with. */
export const hasOwnPostgres = existsSync(PROVIDER) && readFileSync(PROVIDER, 'utf8').startsWith('debian');

/** A server that is ours alone, on a port of its own, with the programs that `services:up` runs. */
export class RestartablePostgres {
  private constructor(
    /** URL of a superuser. */
    readonly url: string,
    private readonly port: number,
    private readonly folder: string,
  ) {}

  static async start(): Promise<RestartablePostgres> {
    const port = await freePort();
    // `/var/lib` as the account of the servers sees it, whether it stands in a system of its own or not.
    const folder = `engram-faults-${process.pid}-${port}`;
    const password = await run(
      port,
      folder,
      `install_folder
       as_server sh -c 'umask 077 && od -An -N24 -tx1 /dev/urandom | tr -d " \\n" >"$1/password"' sh "$DATA"
       PASSWORD=$(as_server cat "$DATA/password") && postgres_up && echo "$PASSWORD"`,
    );
    return new RestartablePostgres(`postgres://engram:${password}@127.0.0.1:${port}/postgres`, port, folder);
  }

  /** @param mode `fast` ends every session in order, `immediate` is a crash: what was committed comes back from the log */
  async restart(mode: 'fast' | 'immediate'): Promise<void> {
    await run(
      this.port,
      this.folder,
      `as_server pg_ctl --pgdata="$DATA/postgres" --mode=${mode} --wait --timeout=300 restart >/dev/null`,
    );
  }

  async stop(): Promise<void> {
    await run(
      this.port,
      this.folder,
      `as_server pg_ctl --pgdata="$DATA/postgres" --mode=immediate --wait --timeout=300 stop >/dev/null
       as_server rm -rf "$DATA"/*`,
    );
  }
}

/** Runs a piece of shell among the functions of the services' scripts, with their data in a folder of ours. */
async function run(port: number, folder: string, script: string): Promise<string> {
  const { stdout } = await promisify(execFile)(
    'bash',
    [
      '-c',
      `set -euo pipefail
       . ./settings.sh
       . ./debian.sh
       read -r _ SYSTEM <"$PROVIDER_FILE"
       DATA=$(dirname "$DATA")/$FAULTS_FOLDER
       install_folder() {
         if [ "$EUID" = 0 ]; then chroot "$SYSTEM" install -d -o postgres -g postgres -m 700 "$DATA"; else mkdir -p "$DATA"; fi
       }
       ${script}`,
    ],
    {
      cwd: SERVICES,
      env: { ...process.env, FAULTS_FOLDER: folder, ENGRAM_SERVICES_POSTGRES_PORT: String(port) },
    },
  );
  return stdout.trim();
}
