import { createRequire } from 'node:module';
import { arch, availableParallelism, cpus, loadavg, platform, release, totalmem } from 'node:os';

const MEASURED_PACKAGES = ['@nestjs/core', '@apollo/server', 'typeorm', 'pg', '@electric-sql/pglite'];

/** What the figures were measured on. A load above the number of cores makes them worthless. */
export function machine(): Readonly<Record<string, string>> {
  const versions = createRequire(import.meta.url)('../package-lock.json') as {
    packages: Record<string, { version: string }>;
  };
  return {
    cpu: `${availableParallelism()} x ${cpus()[0]?.model.trim() ?? 'unknown'}`,
    memory: `${(totalmem() / 2 ** 30).toFixed(1)} GiB`,
    system: `${platform()} ${release()} ${arch()}`,
    node: process.version,
    load: loadavg()[0]?.toFixed(2) ?? 'unknown',
    packages: MEASURED_PACKAGES.map(
      (name) => `${name} ${versions.packages[`node_modules/${name}`]?.version ?? '?'}`,
    ).join(', '),
  };
}
