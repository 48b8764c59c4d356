import { describe } from '@jest/globals';
import { describeHost } from './host-behaviour.js';

describe("MemoryGraphQLModule in a host's app on Fastify", () => describeHost('fastify'));
