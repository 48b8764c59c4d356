import type { Identify } from '../access/identity.js';
import type { IdentityConfig } from './config.js';
import { loopbackIdentity } from './loopback-identity.js';

/** How this server finds out who calls. The token library is loaded only where tokens are used. */
export async function identifyBy(config: IdentityConfig): Promise<Identify> {
  if (config.kind === 'loopback') return loopbackIdentity;
  const { bearerIdentity } = await import('./bearer-identity.js');
  return bearerIdentity(config);
}
