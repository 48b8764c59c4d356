import { describe, expect, it } from '@jest/globals';
import { maskSecrets } from '../../model/policy-rules.js';
import { findSeedPhrases } from './seed-phrases.js';

/** Phrases of an entropy that counts up, and so nobody's. */
const TWELVE = 'arctic live gadget display excess mandate sniff autumn people disorder affair horn';
const FIFTEEN = 'arctic live gadget display excess mandate sniff autumn people disorder affair hole retreat fancy clap';
const EIGHTEEN =
  'arctic live gadget display excess mandate sniff autumn people disorder affair hole retreat fancy close tip deer valve';
const TWENTY_ONE =
  'arctic live gadget display excess mandate sniff autumn people disorder affair hole retreat fancy close tip deer village tuition orbit cat';
const TWENTY_FOUR =
  'arctic live gadget display excess mandate sniff autumn people disorder affair hole retreat fancy close tip deer village tuition orbit cannon owner maid spare';

const mask = async (text: string): Promise<string> => maskSecrets(text, await findSeedPhrases(text));
const numbered = (phrase: string): string =>
  phrase
    .split(' ')
    .map((word, index) => `${index + 1}. ${word}`)
    .join('\n');

describe('findSeedPhrases', () => {
  it.each([
    [TWELVE, '[secret]'],
    [FIFTEEN, '[secret]'],
    [EIGHTEEN, '[secret]'],
    [TWENTY_ONE, '[secret]'],
    [TWENTY_FOUR, '[secret]'],
    [`keep this: ${TWELVE}. Thanks`, 'keep this: [secret]. Thanks'],
    [`the wallet opens with ${TWELVE}`, 'the wallet opens with [secret]'],
    [TWELVE.toUpperCase(), '[secret]'],
    [TWELVE.replaceAll(' ', ', '), '[secret]'],
    [numbered(TWELVE), '1. [secret]'],
    [`${TWELVE}\n${TWELVE}`, '[secret]'],
    [`${TWELVE} ${TWELVE} zoo`, '[secret]'],
    ['amapola lluvia fuego débil época mamá rosa apodo olmo deber adorno honor', '[secret]'],
    ['amapola lluvia fuego de\u0301bil e\u0301poca mama\u0301 rosa apodo olmo deber adorno honor', '[secret]'],
    ['ambigu inonder exact déchirer effacer jeudi requin appareil nature décembre acronyme froid', '[secret]'],
    ['ampliare monile giove domenica farmaco narciso sfogo araldica placebo domato agave italia', '[secret]'],
    ['albino informal estrela cordial disparo isqueiro refogar amolador mosaico coragem aclive frieza', '[secret]'],
    ['bokorys odeslat libra jasan komora ohrozit svodidlo bunda poslanec jaro bahno most', '[secret]'],
  ])('masks %j', async (text, masked) => {
    expect(await mask(text)).toBe(masked);
  });

  it.each([
    'we could walk along the river before dinner and talk about summer plans',
    'Likes apple, banana, cherry, orange and lemon cake with cream and coffee',
    'My garden gives onions, carrots, potatoes, tomatoes, pumpkins, beans, peas, corn, kale, leek, mint, basil',
    // Words of the list that were drawn by nobody: without the checksum they are only words.
    TWELVE.replace('horn', 'hole'),
    'nobody could ever imagine that they would spend their whole summer holiday there',
    'heute gehen alle meine Freunde nach Hause oder kommen zum Essen',
  ])('lets %j pass', async (text) => {
    expect(await mask(text)).toBe(text);
  });

  it('reads long rows of listed words', async () => {
    const row = `${'zoo '.repeat(23)}wrong. `;
    expect(await mask(row.repeat(1000) + TWELVE)).toMatch(/\[secret\]$/u);
  });
});
