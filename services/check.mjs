// Asks both services whether tests can run on them, and says what they are. Exits with 1 and the reason where not.
import { connect as connectTcp } from 'node:net';
import { connect as connectTls } from 'node:tls';
import pg from 'pg';
import { serviceUrls } from './urls.mjs';

const PATIENCE_MS = 60_000;

/** A URL without what is secret in it. */
function place(url) {
  return `${url.hostname}:${url.port || (url.protocol.startsWith('redis') ? 6379 : 5432)}${url.pathname}`;
}

async function checkPostgres(url) {
  const client = new pg.Client({ connectionString: url.href, connectionTimeoutMillis: PATIENCE_MS });
  await client.connect();
  try {
    const { rows } = await client.query(
      `SELECT current_setting('server_version') AS version, r.rolsuper AS superuser, v.default_version AS pgvector
       FROM pg_roles r LEFT JOIN pg_available_extensions v ON v.name = 'vector' WHERE r.rolname = current_user`,
    );
    const { version, superuser, pgvector } = rows[0];
    if (!pgvector) throw new Error('it has no pgvector; install the pgvector package of that server');
    // They make databases, the extension and roles to test row level security as.
    if (!superuser) throw new Error('its role is no superuser, which the tests need; give the URL of one');
    return `Postgres ${version.split(' ')[0]} with pgvector ${pgvector} at ${place(url)}`;
  } finally {
    await client.end();
  }
}

/** Speaks the protocol itself: a client library would be a dependency for one PING. */
function checkRedis(url) {
  const words = ['PING'];
  if (url.password) {
    const login = [decodeURIComponent(url.username), decodeURIComponent(url.password)].filter((word) => word !== '');
    words.unshift(['AUTH', ...login]);
  }
  const lines = words.map((word) => {
    const parts = [word].flat();
    return `*${parts.length}\r\n${parts.map((part) => `$${Buffer.byteLength(part)}\r\n${part}\r\n`).join('')}`;
  });
  return new Promise((resolve, reject) => {
    const connect = url.protocol === 'rediss:' ? connectTls : connectTcp;
    const socket = connect({ host: url.hostname, port: Number(url.port || 6379) });
    let answer = '';
    const finish = (settle, value) => {
      socket.destroy();
      settle(value);
    };
    socket.setTimeout(PATIENCE_MS, () => finish(reject, new Error(`no answer within ${PATIENCE_MS} ms`)));
    socket.on('error', (error) => finish(reject, error));
    socket.on('close', () => finish(reject, new Error('it closed the connection')));
    socket.on('data', (chunk) => {
      answer += chunk;
      if (answer.endsWith('+PONG\r\n')) finish(resolve, `Redis at ${place(url)}`);
      else if (answer.startsWith('-')) finish(reject, new Error(answer.slice(1).split('\r\n')[0]));
    });
    socket.write(lines.join(''));
  });
}

async function check(variable, text, ask) {
  if (!text) {
    console.error(`services: ${variable} is not set, and nothing is up. Set it, or run npm run services:up.`);
    return false;
  }
  if (!URL.canParse(text)) {
    console.error(`services: ${variable} is not a URL.`);
    return false;
  }
  const url = new URL(text);
  try {
    console.log(`services: ${await ask(url)}`);
    return true;
  } catch (error) {
    console.error(`services: ${variable} at ${place(url)}: ${error.message || error.code}`);
    return false;
  }
}

const urls = serviceUrls();
const fine = [
  await check('ENGRAM_TEST_DATABASE_URL', urls.ENGRAM_TEST_DATABASE_URL, checkPostgres),
  await check('ENGRAM_TEST_REDIS_URL', urls.ENGRAM_TEST_REDIS_URL, checkRedis),
];
process.exitCode = fine.every(Boolean) ? 0 : 1;
