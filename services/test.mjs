// The suites whose truth depends on the server, on the native ones. Arguments go to jest instead of the list of suites.
import { runJest } from './jest.mjs';
import { serviceUrls } from './urls.mjs';

const urls = serviceUrls();
if (!urls.ENGRAM_TEST_DATABASE_URL || !urls.ENGRAM_TEST_REDIS_URL) {
  console.error(
    'test:services needs Postgres and Redis. Run npm run services:up, or set ENGRAM_TEST_DATABASE_URL and ENGRAM_TEST_REDIS_URL.',
  );
  process.exit(1);
}
const given = process.argv.slice(2);
const suites = given.length > 0 ? given : ['test/(storage|queue|concurrency|faults)/'];
// A file named after the embedded database is about that database alone. After the suites: jest reads what follows a
// list option as more of that list.
const ignored = '--testPathIgnorePatterns=/(embedded|session-switch)[^/]*$';
runJest([...suites, ignored], urls);
