import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';

/**
 * Where the services of the tests are: the URLs that the environment gives, else those that `services:up` wrote down.
 * The folder is the one of settings.sh.
 *
 * @returns {{ ENGRAM_TEST_DATABASE_URL?: string, ENGRAM_TEST_REDIS_URL?: string }} empty where nothing is up
 */
export function serviceUrls(env = process.env) {
  const { ENGRAM_TEST_DATABASE_URL, ENGRAM_TEST_REDIS_URL } = env;
  if (ENGRAM_TEST_DATABASE_URL || ENGRAM_TEST_REDIS_URL) return { ENGRAM_TEST_DATABASE_URL, ENGRAM_TEST_REDIS_URL };
  const cache = env.XDG_CACHE_HOME || join(homedir(), '.cache');
  const folder = env.ENGRAM_SERVICES_DIR || join(cache, 'nestjs-engram', 'services');
  try {
    return parseEnv(readFileSync(join(folder, 'urls.env'), 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return {};
    throw error;
  }
}
