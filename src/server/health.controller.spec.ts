import type { Server } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { Test } from '@nestjs/testing';
import request from 'supertest';
import { UnavailableError } from '../errors/unavailable-error.js';
import { MemoryHealthIndicator } from '../health/memory-health.indicator.js';
import { MemoryService } from '../memory/memory.service.js';
import { HealthController } from './health.controller.js';

describe('GET /health', () => {
  let app: INestApplication;
  const serve = async (check: () => Promise<void>): Promise<Server> => {
    const module = await Test.createTestingModule({
      imports: [TerminusModule.forRoot({ logger: false })],
      controllers: [HealthController],
      providers: [MemoryHealthIndicator, { provide: MemoryService, useValue: { check } }],
    }).compile();
    app = module.createNestApplication({ logger: false });
    await app.init();
    return app.getHttpServer() as Server;
  };
  afterEach(() => app.close());

  it('is 200 and ok while memories can be read and written', async () => {
    const response = await request(await serve(() => Promise.resolve())).get('/health');
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ status: 'ok' });
  });

  it('is 503 while they cannot', async () => {
    const response = await request(await serve(() => Promise.reject(new UnavailableError('down')))).get('/health');
    expect(response.status).toBe(503);
    expect(response.body).toMatchObject({ status: 'error', error: { memory: { status: 'down' } } });
  });
});
