import { describe, expect, it } from '@jest/globals';
import { InvalidOptionsError } from '../../errors/invalid-options-error.js';
import { UnavailableError } from '../../errors/unavailable-error.js';
import type { PolicySubject } from '../persistence-policy.js';
import { SecretlintPersistencePolicy } from './secretlint-persistence-policy.js';

const subject = (content: string): PolicySubject => ({ content, kind: 'fact', source: 'manual' });
const shape = (...parts: string[]): string => parts.join('');
const policy = new SecretlintPersistencePolicy();
const reasonFor = async (content: string, by = policy): Promise<string | null> =>
  (await by.check(subject(content)))?.reason ?? null;

/** Found by secretlint alone: our own rules know none of them. */
const SECRETLINT_ONLY = [
  shape('shp', 'at_', 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF'),
  shape('lin_', 'api_', 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF'),
];

describe('SecretlintPersistencePolicy', () => {
  it.each(SECRETLINT_ONLY)('refuses and masks what only secretlint knows: %#', async (secret) => {
    expect(await reasonFor(`Deploys with ${secret} daily`)).toBe('secret');
    const [masked] = await policy.mask([{ role: 'user', content: `I use ${secret} daily` }]);
    expect(masked).toEqual({ role: 'user', content: 'I use [secret] daily' });
  });

  it('refuses secrets in speech and names no text in the rejection', async () => {
    const rejection = await policy.check(subject('My password is hunter2'));
    expect(rejection?.reason).toBe('secret');
    expect(rejection?.message).not.toContain('hunter2');
  });

  it('is not switched off by a comment for secretlint', async () => {
    expect(await reasonFor(`secretlint-disable ${SECRETLINT_ONLY[0]}`)).toBe('secret');
  });

  it('sees through fullwidth letters and invisible characters', async () => {
    const text = 'my p\u200Bassword is ｈｕｎｔｅｒ２';
    expect(await reasonFor(text)).toBe('secret');
    expect(await policy.mask([{ role: 'user', content: text }])).toEqual([
      { role: 'user', content: 'my password is [secret]' },
    ]);
  });

  it('leaves honest text as it was written', async () => {
    const messages = [
      { role: 'user', content: 'می\u200Cخواهم چای، 👩‍👩‍👧 ﬁne' },
      { role: 'assistant', content: 'Prefers password managers' },
      { role: 'tool', content: '' },
    ] as const;
    expect(await policy.mask(messages)).toEqual(messages);
    expect(await reasonFor('Prefers password managers')).toBeNull();
  });

  it('masks each message of a turn and changes none of what it was given', async () => {
    const messages = Object.freeze([
      Object.freeze({ role: 'user' as const, content: 'my PIN is 4821, my password is hunter2' }),
      Object.freeze({ role: 'assistant' as const, content: 'Noted: PIN 4821' }),
    ]);
    const masked = await policy.mask(messages);
    expect(masked.map(({ content }) => content)).toEqual([
      'my PIN is [secret], my password is [secret]',
      'Noted: PIN [secret]',
    ]);
    expect(await policy.mask(masked)).toEqual(masked);
    expect(await reasonFor('My PIN is [secret]')).toBeNull();
  });

  it('keeps concurrent checks apart', async () => {
    const texts = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? `${SECRETLINT_ONLY[0]}` : 'Likes tea'));
    const reasons = await Promise.all(texts.map((text) => reasonFor(text)));
    expect(reasons).toEqual(texts.map((_, index) => (index % 2 === 0 ? 'secret' : null)));
  });

  it('tells at each call whether a stored text holds a secret, whatever else it would refuse', async () => {
    const strict = new SecretlintPersistencePolicy({ denylist: [/tea/iu], hostPolicy: () => 'Nothing is kept here.' });
    for (let call = 0; call < 2; call += 1) {
      expect(await strict.holdsSecret('Likes tea')).toBe(false);
      expect(await strict.holdsSecret('My password is hunter2')).toBe(true);
      expect(await strict.holdsSecret('my p\u200Bassword is ｈｕｎｔｅｒ２')).toBe(true);
      expect(await strict.holdsSecret(`Deploys with ${SECRETLINT_ONLY[0]} daily`)).toBe(true);
    }
  });

  it('leaves no performance marks behind', async () => {
    performance.clearMarks();
    await policy.check(subject('Likes tea'));
    expect(performance.getEntriesByType('mark')).toHaveLength(0);
  });

  it('refuses progress of the task at hand, unless told not to', async () => {
    expect(await reasonFor('I am currently running the tests')).toBe('transient');
    expect(
      await reasonFor('I am currently running the tests', new SecretlintPersistencePolicy({ refuseTransient: false })),
    ).toBeNull();
  });

  it('refuses what the host denies, with a global pattern at every call', async () => {
    const denying = new SecretlintPersistencePolicy({ denylist: [/project\s?x/giu, /^zzz/uy] });
    for (let call = 0; call < 3; call += 1) expect(await reasonFor('Leads Project X', denying)).toBe('denylisted');
    expect(await reasonFor('Leads Project Y', denying)).toBeNull();
  });

  it("asks the host's hook last and passes its words on", async () => {
    const asked: string[] = [];
    const hosted = new SecretlintPersistencePolicy({
      hostPolicy: ({ content }) => {
        asked.push(content);
        return content.includes('health') ? 'Health is not kept here.' : null;
      },
    });
    expect(await hosted.check(subject('Asks about health'))).toEqual({
      reason: 'host-policy',
      message: 'Health is not kept here.',
    });
    expect(await reasonFor('Likes tea', hosted)).toBeNull();
    expect(await reasonFor('My password is hunter2', hosted)).toBe('secret');
    expect(asked).toEqual(['Asks about health', 'Likes tea']);
  });

  it('keeps nothing when the hook throws', async () => {
    const broken = new SecretlintPersistencePolicy({
      hostPolicy: () => {
        throw new Error('down');
      },
    });
    await expect(broken.check(subject('Likes tea'))).rejects.toThrow(UnavailableError);
  });

  it('names the entry of the denylist that is no pattern', () => {
    const denylist = [/x/u, 'y' as unknown as RegExp];
    expect(() => new SecretlintPersistencePolicy({ denylist })).toThrow(InvalidOptionsError);
    expect(() => new SecretlintPersistencePolicy({ denylist })).toThrow(/policy\.denylist\[1\]/u);
  });
});
