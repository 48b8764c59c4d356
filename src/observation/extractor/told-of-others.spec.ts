import { describe, expect, it } from '@jest/globals';
import { isToldOfOthers } from './told-of-others.js';

describe('isToldOfOthers', () => {
  it.each([
    ['Hates cilantro', 'My sister says she hates cilantro.'],
    ['Is vegan', 'Dinner for four please. My wife is vegan!'],
    ['Is allergic to nuts', "my boyfriend's allergic to nuts"],
    ['Lives in Zurich', 'And my old boss lives in Zurich'],
    ['Loves golf', 'He loves golf.'],
    ['Is afraid of fireworks', 'Our dog is afraid of fireworks'],
    ['Hasst Koriander', 'Meine Schwester hasst Koriander.'],
    ['Habite à Lyon', 'Mon frère habite à Lyon.'],
  ])('%j comes from %j', (statement, said) => {
    expect(isToldOfOthers(statement, [said])).toBe(true);
  });

  it.each([
    ['Sister hates cilantro', 'My sister says she hates cilantro.'],
    ['Has a sister in Porto', 'My sister lives in Porto.'],
    ['Hates cilantro', 'My sister hates cilantro. I hate cilantro too.'],
    ['Loves pizza', 'My daughter and I love pizza'],
    ['Wants to learn Rust', 'My boss wants me to learn Rust'],
    ['Is married', 'My wife is vegan'],
    ['Uses Postgres', 'My app uses Postgres'],
    ['Is called Ana', 'My name is Ana'],
    ['Wohnt in Köln', 'Meine Frau und ich wohnen in Köln'],
    ['Vive en Madrid', 'Mi hermana vive en Madrid'],
    ['Likes tea', 'tea, always'],
    ['Rex is five years old', 'He is five years old'],
  ])('%j may be the user of %j', (statement, said) => {
    expect(isToldOfOthers(statement, [said])).toBe(false);
  });
});
