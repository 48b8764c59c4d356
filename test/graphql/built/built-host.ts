import { request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformFile } from '@swc/core';
import { builtScript } from '../../server/built-app.js';
import { HostProcess } from '../../support/host-process.js';
import type { Platform } from '../graphql-app.js';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));

export interface BuiltHostSetting {
  readonly platform: Platform;
  /** Of one subject, for each field and route. @default more than a test asks for */
  readonly fieldsAMinute?: number;
  /** Set after our defaults, as the host's own choice. */
  readonly graphiql?: boolean;
}

/**
 * The program `host.ts` on the package as it is built, which it finds by its name. In Node alone: jest cannot load what
 * requires ES modules, and loaders of TypeScript give it a second copy of them.
 */
export async function startBuiltHost(
  setting: BuiltHostSetting,
  env: Readonly<Record<string, string>> = {},
): Promise<HostProcess> {
  await builtScript('index.js');
  const { code } = await transformFile(join(FOLDER, 'host.ts'), {
    jsc: { target: 'es2022', parser: { syntax: 'typescript', decorators: true }, transform: { legacyDecorator: true } },
    module: { type: 'es6' },
  });
  return HostProcess.start({
    args: ['--input-type=module', '--eval', code],
    cwd: FOLDER,
    env: { BUILT_HOST: JSON.stringify(setting), ...env },
  });
}

export interface HttpAnswer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface HttpCall {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The address to come from, one of 127.0.0.0/8. @default 127.0.0.1 */
  readonly from?: string;
}

/** Over a connection of its own. */
export function http(url: string, { method = 'GET', headers = {}, body, from }: HttpCall = {}): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false, ...(from && { localAddress: from }) }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, text }));
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
