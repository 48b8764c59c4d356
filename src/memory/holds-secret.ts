import type { PersistencePolicy, PolicySubject } from '../policy/persistence-policy.js';

/** Whether a policy finds a secret. What is transient or unwanted to add was kept for a reason; only a secret is dangerous to show. */
export async function holdsSecret(
  policy: PersistencePolicy,
  { content, kind, source }: PolicySubject,
): Promise<boolean> {
  if (policy.holdsSecret) return policy.holdsSecret(content);
  return (await policy.check({ content, kind, source }))?.reason === 'secret';
}
