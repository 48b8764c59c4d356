import { Agent, request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { OpenAiServer } from './openai-server.js';

let server: OpenAiServer;
beforeAll(async () => {
  server = await OpenAiServer.start({ refuses: ['temperature'] });
});
afterAll(() => server.stop());

describe('OpenAiServer', () => {
  it('gives the real client the same vector as floats and as base64', async () => {
    const client = new OpenAI({ apiKey: 'k', baseURL: server.baseURL });
    const ask = { model: 'text-embedding-3-small', input: 'Lives in Ulm', dimensions: 8 };
    const floats = await client.embeddings.create({ ...ask, encoding_format: 'float' });
    const decoded = await client.embeddings.create(ask);
    expect(server.requests.at(-1)?.body['encoding_format']).toBe('base64');
    expect(decoded.data[0]?.embedding.map(Math.fround)).toEqual(floats.data[0]?.embedding.map(Math.fround));
  });

  it('refuses what it was told to refuse', async () => {
    const client = new OpenAI({ apiKey: 'k', baseURL: server.baseURL, maxRetries: 0 });
    const ask = { model: 'o1', messages: [], temperature: 0 };
    await expect(client.chat.completions.create(ask)).rejects.toMatchObject({ status: 400, param: 'temperature' });
  });

  it('announces no end of an idle connection', async () => {
    const agent = new Agent({ keepAlive: true });
    const headers = await new Promise<IncomingHttpHeaders>((resolve, reject) => {
      request(`${server.baseURL}/models`, { agent }, (response) => resolve(response.resume().headers))
        .on('error', reject)
        .end();
    });
    expect([headers.connection, headers['keep-alive']]).toEqual(['keep-alive', undefined]);
    agent.destroy();
  });
});
