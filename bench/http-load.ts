// A client of the GraphQL bench, in a process of its own: what a client costs is not the server's. Run by `fork`.
import { Agent, request } from 'node:http';

/** Post each body once, so many at a time. */
export interface Load {
  readonly url: string;
  readonly connections: number;
  readonly posts: readonly { readonly subject: string; readonly body: object }[];
}

export interface LoadTimes {
  readonly what: 'answered';
  /** Milliseconds of each request, from its first byte to its answer read and parsed. */
  readonly times: readonly number[];
  /** Milliseconds of all of them. */
  readonly whole: number;
  /** The answers' bytes on average. */
  readonly bytes: number;
}

function post(agent: Agent, url: string, { subject, body }: Load['posts'][number]): Promise<number> {
  return new Promise((resolve, reject) => {
    const text = JSON.stringify(body);
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      'x-subject': subject,
    };
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => {
        const answer = Buffer.concat(parts);
        const { errors } = JSON.parse(answer.toString('utf8')) as { errors?: unknown };
        if (response.statusCode === 200 && !errors) resolve(answer.length);
        else reject(new Error(`The host answered ${response.statusCode} with errors.`));
      });
    });
    sent.on('error', reject);
    sent.end(text);
  });
}

async function run({ url, connections, posts }: Load): Promise<LoadTimes> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const waiting = posts.values();
  const times: number[] = [];
  let bytes = 0;
  const since = performance.now();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      // One iterator for all: each post is taken by whoever is free.
      for (const next of waiting) {
        const start = performance.now();
        const length = await post(agent, url, next);
        times.push(performance.now() - start);
        bytes += length;
      }
    }),
  );
  const whole = performance.now() - since;
  agent.destroy();
  return { what: 'answered', times, whole, bytes: Math.round(bytes / posts.length) };
}

process.on('message', (load: Load) => void run(load).then((times) => process.send?.(times)));
process.on('disconnect', () => process.exit());
