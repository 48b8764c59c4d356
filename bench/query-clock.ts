import pg from 'pg';

type Query = (this: pg.Client, ...given: unknown[]) => unknown;

/** Adds up how long this process waits for answers of Postgres on the connections that memories go through. */
export class QueryClock {
  /** Milliseconds; of queries side by side, each counts. */
  waited = 0;
  statements = 0;

  /** From here on, for the whole process. */
  start(): void {
    const prototype = pg.Client.prototype as unknown as { query: Query };
    const { query } = prototype;
    const noted = (since: number): void => {
      this.waited += performance.now() - since;
      this.statements += 1;
    };
    prototype.query = function (...given) {
      const result = query.apply(this, given);
      if (result instanceof Promise && isOfMemories(this)) {
        const since = performance.now();
        void result.then(
          () => noted(since),
          () => noted(since),
        );
      }
      return result;
    };
  }
}

/** BullMQ's pool on Postgres has another name. */
function isOfMemories(client: pg.Client): boolean {
  const { connectionParameters } = client as unknown as { connectionParameters: { application_name?: string } };
  return connectionParameters.application_name === 'nestjs-engram';
}
