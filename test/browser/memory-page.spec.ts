import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SignJWT } from 'jose';
import { MemoryPageLab } from './memory-page.js';
import type { OpenPage } from './memory-page.js';
import { freePort } from '../support/free-port.js';
import { until } from '../support/until.js';

/** An app with a new database, and a browser, on a machine that is busy. */
const LAB_STARTS_WITHIN_MS = 180_000;

let lab: MemoryPageLab;
let user = 0;
let who: string;
let page: OpenPage;

beforeAll(async () => {
  lab = await MemoryPageLab.start();
}, LAB_STARTS_WITHIN_MS);
afterAll(() => lab.stop());
beforeEach(() => {
  user += 1;
  who = `person-${user}`;
});
afterEach(async () => {
  expect(page.faults).toEqual([]);
  await page.close();
});

describe('The memory page', () => {
  it('says that nothing is remembered yet', async () => {
    page = await lab.open(who);
    await page.page.getByText('Nothing is remembered yet.').waitFor();
    expect(await page.memories().count()).toBe(0);
  });

  it('shows each memory with its kind, source and date, newest first', async () => {
    await lab.remember(who, 'Lives in Porto', 'Has a dog called Rex');
    page = await lab.open(who);
    await page.memory('Lives in Porto').waitFor();
    expect(await page.memories().allInnerTexts()).toEqual([
      expect.stringContaining('Has a dog called Rex'),
      expect.stringContaining('Lives in Porto'),
    ]);
    const text = await page.memory('Lives in Porto').innerText();
    expect(text).toContain('Fact');
    expect(text).toContain('Added by hand');
    const date = await page.memory('Lives in Porto').locator('time').first().getAttribute('datetime');
    expect(Math.abs(Date.now() - Date.parse(date ?? ''))).toBeLessThan(600_000);
  });

  it('adds a memory of the chosen kind and empties the form', async () => {
    page = await lab.open(who);
    await page.add('Prefers short answers', 'Preference');
    expect(await page.memory('Prefers short answers').innerText()).toContain('Preference');
    expect(await page.page.getByLabel('Remember something').inputValue()).toBe('');
    await page.page.getByRole('status').getByText('Remembered. Prefers short answers').waitFor();
  });

  it('keeps what was typed and says why, where it may not be remembered', async () => {
    page = await lab.open(who);
    const form = page.page.getByLabel('Remember something');
    await form.fill('My password is hunter2swordfish');
    await page.button('Remember').click();
    await page.page
      .getByRole('alert')
      .getByText(/credential/)
      .waitFor();
    expect(await form.inputValue()).toBe('My password is hunter2swordfish');
    expect(await page.memories().count()).toBe(0);
  });

  it('names the limit for a text that is too long', async () => {
    page = await lab.open(who);
    await page.page.getByLabel('Remember something').fill('long '.repeat(200));
    await page.button('Remember').click();
    await page.page.getByRole('alert').getByText(/500/).waitFor();
  });

  it('edits a memory, and keeps what it was before in its history', async () => {
    await lab.remember(who, 'Is on the Pro plan');
    page = await lab.open(who);
    await page.memory('Is on the Pro plan').getByRole('button', { name: 'Edit' }).click();
    await page.page.getByLabel('Change this memory').fill('Is on the Enterprise plan');
    await page.button('Save').click();
    const changed = page.memory('Is on the Enterprise plan');
    await changed.waitFor();
    await changed.getByRole('button', { name: 'History' }).click();
    const earlier = changed.getByRole('list', { name: /Earlier states/ });
    expect(await earlier.innerText()).toContain('Is on the Pro plan');
    await earlier.getByRole('button', { name: 'Restore this' }).click();
    await page.memory('Is on the Pro plan').waitFor();
  });

  it('leaves a memory as it was when editing is cancelled', async () => {
    await lab.remember(who, 'Plays the cello');
    page = await lab.open(who);
    await page.memory('Plays the cello').getByRole('button', { name: 'Edit' }).click();
    await page.page.getByLabel('Change this memory').fill('Plays the tuba');
    await page.page.keyboard.press('Escape');
    await page.memory('Plays the cello').getByRole('button', { name: 'Edit' }).waitFor();
    expect(await page.memory('Plays the cello').innerText()).toContain('Plays the cello');
  });

  it('forgets a memory, and takes that back', async () => {
    await lab.remember(who, 'Is allergic to nuts');
    page = await lab.open(who);
    await page.memory('Is allergic to nuts').getByRole('button', { name: 'Forget' }).click();
    await page.page.getByRole('status').getByText('Forgotten. Is allergic to nuts').waitFor();
    await page.page.getByText('Nothing is remembered yet.').waitFor();
    await page.button('Undo').click();
    await page.memory('Is allergic to nuts').waitFor();
  });

  it('finds by words and by kind', async () => {
    await lab.remember(who, 'Lives in Porto', 'Works as a plumber');
    page = await lab.open(who);
    await page.add('Prefers tea', 'Preference');
    await page.page.getByRole('searchbox').fill('plumber');
    await page.memory('Lives in Porto').waitFor({ state: 'detached' });
    expect(await page.memories().count()).toBe(1);
    await page.page.getByRole('searchbox').fill('zebra');
    await page.page.getByText('Nothing matches.').waitFor();
    await page.page.getByRole('searchbox').fill('');
    await page.memory('Lives in Porto').waitFor();
    await page.page.getByRole('combobox', { name: 'Filter by kind' }).selectOption('Preference');
    await page.memory('Lives in Porto').waitFor({ state: 'detached' });
    expect(await page.memories().allInnerTexts()).toEqual([expect.stringContaining('Prefers tea')]);
  });

  it('never shows the late answer to an earlier search', async () => {
    await lab.remember(who, 'Lives in Porto', 'Works as a plumber');
    page = await lab.open(who);
    await page.memory('Lives in Porto').waitFor();
    await page.page.route('**/graphql', async (route) => {
      const late = route.request().postData()?.includes('"search":"porto"') ?? false;
      if (late) await new Promise((resolve) => setTimeout(resolve, 1_000));
      await route.continue().catch(() => undefined);
    });
    const asked = page.page.waitForRequest((request) => request.postData()?.includes('"search":"porto"') ?? false);
    await page.page.getByRole('searchbox').fill('porto');
    await asked;
    await page.page.getByRole('searchbox').fill('plumber');
    await page.memory('Works as a plumber').waitFor();
    await page.memory('Lives in Porto').waitFor({ state: 'detached' });
    await page.page.waitForTimeout(1_300);
    expect(await page.memories().count()).toBe(1);
    expect(await page.memory('Works as a plumber').count()).toBe(1);
  });

  it('shows more on demand, without repeating any', async () => {
    await lab.remember(who, ...Array.from({ length: 25 }, (_, index) => `Owns book number ${index}`));
    page = await lab.open(who);
    await page.page.getByText('20 of 25').waitFor();
    await page.button('Show more').click();
    await page.page.getByText('25 of 25').waitFor();
    expect(new Set(await page.memories().allInnerTexts()).size).toBe(25);
    expect(await page.button('Show more').count()).toBe(0);
  });

  it('reads only what has changed where much is shown, each in its place', async () => {
    const books = Array.from({ length: 130 }, (_, index) => `Owns book number ${index}`);
    await lab.remember(who, ...books);
    page = await lab.open(who);
    await page.page.getByText('Changes appear as they happen.').waitFor();
    await page.button('Show more').click();
    await page.page.getByText('120 of 130').waitFor();
    const listed: unknown[] = [];
    page.page.on('request', (request) => {
      const { variables } = (request.postDataJSON() ?? {}) as { variables?: { first?: number } };
      if (variables?.first !== undefined) listed.push(variables.first);
    });
    const other = await lab.open(who);

    await other.add('Lives in Porto');
    await page.memory('Lives in Porto').waitFor();
    await page.page.getByText('121 of 131').waitFor();
    expect(await page.memories().first().innerText()).toContain('Lives in Porto');
    await other.edit('Owns book number 120', 'Owns a first edition');
    await other.button('Save').click();
    await page.memory('Owns a first edition').waitFor();
    expect(await page.memories().nth(10).innerText()).toContain('Owns a first edition');
    await other.memory('Owns book number 125').getByRole('button', { name: 'Forget' }).click();
    await page.page.getByText('120 of 130').waitFor();
    expect(await page.memory('Owns book number 125').count()).toBe(0);

    await page.add('Plays chess');
    await page.memory('Owns book number 50').getByRole('button', { name: 'Forget' }).click();
    await page.page.getByText('120 of 130').waitFor();
    await page.button('Undo').click();
    await page.page.getByText('121 of 131').waitFor();
    expect(await page.memories().nth(80).innerText()).toContain('Owns book number 50');
    expect(listed.length).toBeGreaterThan(4);
    expect(new Set(listed)).toEqual(new Set([1]));

    await page.button('Show more').click();
    await page.page.getByText('131 of 131').waitFor();
    expect(new Set(await page.memories().allInnerTexts()).size).toBe(131);
    await other.close();
  });

  it('keeps what is typed where much is shown, when the memory is forgotten elsewhere', async () => {
    await lab.remember(who, ...Array.from({ length: 110 }, (_, index) => `Owns book number ${index}`));
    page = await lab.open(who);
    await page.page.getByText('Changes appear as they happen.').waitFor();
    await page.button('Show more').click();
    await page.page.getByText('110 of 110').waitFor();
    const other = await lab.open(who);
    await page.edit('Owns book number 105', 'Sold book number 105');
    await other.memory('Owns book number 105').getByRole('button', { name: 'Forget' }).click();
    await page.page.getByText(/forgotten elsewhere meanwhile/).waitFor();
    await page.page.getByText('109 of 109').waitFor();
    await page.button('Save').click();
    await page.memory('Sold book number 105').waitFor();
    await page.memory('Owns book number 105').waitFor({ state: 'detached' });
    await page.page.getByText('110 of 110').waitFor();
    await other.close();
  });

  it('forgets everything only after the person confirms it', async () => {
    await lab.remember(who, 'Lives in Porto', 'Has a dog called Rex');
    page = await lab.open(who);
    await page.memory('Lives in Porto').waitFor();
    await page.button('Forget everything').click();
    const question = page.page.getByRole('dialog');
    await question.getByRole('button', { name: 'Keep everything' }).click();
    await question.waitFor({ state: 'hidden' });
    expect(await page.memories().count()).toBe(2);
    await page.button('Forget everything').click();
    await page.page.keyboard.press('Escape');
    await question.waitFor({ state: 'hidden' });
    expect(await page.memories().count()).toBe(2);
    await page.button('Forget everything').click();
    await question.getByRole('button', { name: 'Forget everything' }).click();
    await page.page.getByText('Everything is forgotten: 2 memories.').waitFor();
    await page.page.getByText('Nothing is remembered yet.').waitFor();
    await page.page.reload();
    await page.page.getByText('Nothing is remembered yet.').waitFor();
  });

  it('switches memory off and on, and remembers that over a reload', async () => {
    await lab.remember(who, 'Lives in Porto');
    page = await lab.open(who);
    await page.memory('Lives in Porto').waitFor();
    await page.page.getByRole('switch', { name: 'Memory is on' }).uncheck();
    await page.page.getByText(/nothing new is learned/).waitFor();
    expect(await page.page.getByLabel('Remember something').isVisible()).toBe(false);
    const can = await page.memory('Lives in Porto').getByRole('button').allInnerTexts();
    expect(can).toEqual(['History', 'Forget']);
    await page.page.reload();
    await page.page.getByRole('switch', { name: 'Memory is off' }).check();
    await page.page.getByLabel('Remember something').waitFor();
    await page.memory('Lives in Porto').waitFor();
  });

  it('shows nobody what somebody else has', async () => {
    await lab.remember(`${who}-other`, 'Has a secret garden');
    page = await lab.open(who);
    await page.page.getByText('Nothing is remembered yet.').waitFor();
    expect(await page.page.content()).not.toContain('secret garden');
  });

  it('shows markup as the text that it is', async () => {
    const texts = [
      '<img src=x onerror="alert(1)">',
      '<script>alert(1)</script>',
      '"><svg onload=alert(1)>',
      '{{constructor.constructor("alert(1)")()}}',
      '</p></article><h1>Not a heading</h1>',
      'javascript:alert(1) &lt;b&gt; &amp;',
    ];
    await lab.remember(who, ...texts);
    page = await lab.open(who);
    await page
      .memories()
      .nth(texts.length - 1)
      .waitFor();
    for (const text of texts) expect(await page.memory(text).getByText(text, { exact: true }).count()).toBe(1);
    expect(await page.page.locator('engram-memories img, engram-memories h1, engram-memories svg').count()).toBe(0);
  });

  it('breaks long words, and lets right-to-left text run its own way, on a narrow screen', async () => {
    await lab.remember(who, `Likes ${'w'.repeat(400)}`, 'يحب القهوة 👩‍👩‍👧 في الصباح');
    page = await lab.open(who, { viewport: { width: 320, height: 640 } });
    await page.memories().first().waitFor();
    const overflow = await page.page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
    expect(overflow).toBeLessThanOrEqual(0);
  });

  it('shows what another page of the same person does, as it happens', async () => {
    page = await lab.open(who);
    const other = await lab.open(who);
    await other.page.getByText('Changes appear as they happen.').waitFor();
    await page.add('Lives in Porto');
    await other.memory('Lives in Porto').waitFor();
    await page.memory('Lives in Porto').getByRole('button', { name: 'Edit' }).click();
    await page.page.getByLabel('Change this memory').fill('Lives in Lisbon');
    await page.button('Save').click();
    await other.memory('Lives in Lisbon').waitFor();
    await page.memory('Lives in Lisbon').getByRole('button', { name: 'Forget' }).click();
    await other.page.getByText('Nothing is remembered yet.').waitFor();
    expect(other.faults).toEqual([]);
    await other.close();
  });

  it('keeps what is being edited when something else changes', async () => {
    await lab.remember(who, 'Lives in Porto', 'Plays chess');
    page = await lab.open(who);
    await page.page.getByText('Changes appear as they happen.').waitFor();
    await page.memory('Lives in Porto').getByRole('button', { name: 'Edit' }).click();
    await page.page.getByLabel('Change this memory').fill('Lives in Faro');
    await lab.remember(who, 'Has a dog called Rex');
    await page.memory('Has a dog called Rex').waitFor();
    expect(await page.page.getByLabel('Change this memory').inputValue()).toBe('Lives in Faro');
    await page.button('Save').click();
    await page.memory('Lives in Faro').waitFor();
  });

  it('keeps what is typed when the same memory is changed elsewhere, and says so', async () => {
    await lab.remember(who, 'Lives in Porto');
    page = await lab.open(who);
    const other = await lab.open(who);
    await page.page.getByText('Changes appear as they happen.').waitFor();
    await page.edit('Lives in Porto', 'Lives in Faro');
    await other.edit('Lives in Porto', 'Lives in Braga');
    await other.button('Save').click();
    await page.page
      .getByRole('status')
      .getByText(/changed elsewhere meanwhile to .*Lives in Braga/)
      .waitFor();
    expect(await page.page.getByLabel('Change this memory').inputValue()).toBe('Lives in Faro');
    await page.button('Save').click();
    await other.memory('Lives in Faro').waitFor();
    expect(other.faults).toEqual([]);
    await other.close();
  });

  it('keeps what is typed when the memory is forgotten elsewhere, and remembers it anew', async () => {
    await lab.remember(who, 'Plays chess', 'Lives in Porto');
    page = await lab.open(who);
    const other = await lab.open(who);
    await page.page.getByText('Changes appear as they happen.').waitFor();
    await page.edit('Lives in Porto', 'Lives in Faro');
    await other.memory('Lives in Porto').getByRole('button', { name: 'Forget' }).click();
    await page.page.getByText(/forgotten elsewhere meanwhile/).waitFor();
    await page.page.getByText('1 of 1').waitFor();
    expect(await page.page.getByLabel('Change this memory').inputValue()).toBe('Lives in Faro');
    await page.button('Save').click();
    await page.memory('Lives in Faro').waitFor();
    await page.memory('Lives in Porto').waitFor({ state: 'detached' });
    await page.page.getByText('2 of 2').waitFor();
    await other.close();
  });

  it('keeps what is being edited while something else is searched for', async () => {
    await lab.remember(who, 'Lives in Porto', 'Plays chess', 'Has a dog called Rex');
    page = await lab.open(who);
    await page.edit('Lives in Porto', 'Lives in Faro');
    await page.page.getByRole('searchbox').fill('chess');
    await page.memory('Has a dog called Rex').waitFor({ state: 'detached' });
    expect(await page.page.getByLabel('Change this memory').inputValue()).toBe('Lives in Faro');
    await page.button('Cancel').click();
    await page.memory('Lives in Porto').waitFor({ state: 'detached' });
    expect(await page.memories().count()).toBe(1);
  });

  it('keeps the focus on what was used, and moves it on from what is gone', async () => {
    await lab.remember(who, 'Lives in Porto', 'Plays chess', 'Has a dog called Rex');
    page = await lab.open(who);
    await page.page.getByText('Changes appear as they happen.').waitFor();
    await page.memory('Plays chess').getByRole('button', { name: 'History' }).focus();
    await page.page.keyboard.press('Enter');
    await page.memory('Plays chess').getByText('It was never changed.').waitFor();
    expect(await page.focused()).toBe('History, Plays chess');
    await page.memory('Plays chess').getByRole('button', { name: 'Forget' }).focus();
    await page.page.keyboard.press('Enter');
    await page.memory('Plays chess').waitFor({ state: 'detached' });
    expect(await page.focused()).toBe('Edit, Lives in Porto');
    const other = await lab.open(who);
    await other.memory('Lives in Porto').getByRole('button', { name: 'Forget' }).click();
    await page.memory('Lives in Porto').waitFor({ state: 'detached' });
    expect(await page.focused()).toBe('Edit, Has a dog called Rex');
    await other.close();
  });

  it('keeps the focus inside the question, and gives it back', async () => {
    await lab.remember(who, 'Lives in Porto');
    page = await lab.open(who);
    await page.button('Forget everything').click();
    const question = page.page.getByRole('dialog', { name: 'Forget everything?' });
    await question.waitFor();
    const stops = new Set<string>();
    for (let presses = 0; presses < 6; presses += 1) {
      stops.add(await page.focused());
      await page.page.keyboard.press('Tab');
    }
    stops.delete('');
    expect([...stops].sort()).toEqual(['Forget everything', 'Keep everything']);
    await page.page.keyboard.press('Escape');
    await question.waitFor({ state: 'hidden' });
    expect(await page.focused()).toBe('Forget everything');
  });

  it('gives every control a role and a name', async () => {
    await lab.remember(who, 'Lives in Porto', 'Plays chess');
    page = await lab.open(who);
    await page.edit('Lives in Porto', 'Lives in Faro');
    const controls = await page.controls();
    expect(controls.filter(({ name }) => name === '')).toEqual([]);
    expect(controls).toEqual(
      expect.arrayContaining([
        { role: 'switch', name: 'Memory is on', description: '' },
        { role: 'textbox', name: 'Remember something', description: '' },
        { role: 'searchbox', name: 'Search memories', description: '' },
        { role: 'button', name: 'Forget', description: 'Plays chess' },
        { role: 'textbox', name: 'Change this memory', description: '' },
      ]),
    );
  });

  it('shows the switch as the server has it, and tries again what failed', async () => {
    page = await lab.open(who);
    const memorySwitch = page.page.getByRole('switch');
    await memorySwitch.waitFor();
    await page.page.route('**/graphql', (route) => route.abort());
    await memorySwitch.click();
    await page.page
      .getByRole('alert')
      .getByText(/cannot be reached/)
      .waitFor();
    expect(await memorySwitch.isChecked()).toBe(true);
    await page.page.unroute('**/graphql');
    await page.button('Try again').click();
    await page.page.getByRole('switch', { name: 'Memory is off' }).waitFor();
    expect(await memorySwitch.isChecked()).toBe(false);
    // The browser tells of each request that was cut off.
    page.faults.length = 0;
  });

  it('is light or dark as the page that it stands in', async () => {
    page = await lab.open(who, { colorScheme: 'dark' });
    const background = (): Promise<string> =>
      page.page.evaluate(`getComputedStyle(document.querySelector('engram-memories')).backgroundColor`);
    expect(await background()).toBe('rgb(22, 24, 29)');
    await page.page.evaluate(`document.documentElement.style.colorScheme = 'light'`);
    expect(await background()).toBe('rgb(255, 255, 255)');
  });

  it('can be used by keyboard alone', async () => {
    page = await lab.open(who);
    const { keyboard } = page.page;
    await page.page.getByLabel('Remember something').waitFor();
    const pressUntil = async (name: string): Promise<void> => {
      for (let presses = 0; presses < 40; presses += 1) {
        await keyboard.press('Tab');
        const focused = await page.page.evaluate(`(() => {
          let at = document.activeElement;
          while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
          return at?.getAttribute('aria-label') ?? at?.labels?.[0]?.innerText?.trim() ?? at?.innerText?.trim() ?? '';
        })()`);
        if (focused === name) return;
      }
      throw new Error(`Tab never reached "${name}".`);
    };
    await pressUntil('Remember something');
    await keyboard.type('Lives in Porto');
    await pressUntil('Remember');
    await keyboard.press('Enter');
    await page.memory('Lives in Porto').waitFor();
    await pressUntil('Edit');
    await keyboard.press('Enter');
    await keyboard.press('End');
    await keyboard.type(' and Lisbon');
    await pressUntil('Save');
    await keyboard.press('Enter');
    await page.memory('Lives in Porto and Lisbon').waitFor();
    await pressUntil('Forget');
    await keyboard.press('Enter');
    await page.page.getByText('Nothing is remembered yet.').waitFor();
    // The focus went on to the heading, not back to the start of the page.
    await pressUntil('Undo');
    await keyboard.press('Enter');
    await page.memory('Lives in Porto and Lisbon').waitFor();
    await pressUntil('Forget everything');
    await keyboard.press('Enter');
    await page.page.getByRole('dialog').waitFor();
    await keyboard.press('Tab');
    await keyboard.press('Enter');
    await page.page.getByText('Everything is forgotten: 1 memory.').waitFor();
  });
});

describe('The memory page of an app that takes tokens', () => {
  const secret = 'a secret of at least thirty-two characters';
  let tokens: MemoryPageLab;
  beforeAll(async () => {
    tokens = await MemoryPageLab.start({ ENGRAM_JWT_SECRET: secret });
  }, LAB_STARTS_WITHIN_MS);
  afterAll(() => tokens.stop());

  const tokenFor = (time: string): Promise<string> =>
    new SignJWT({ tenant: 'acme' })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject('ana')
      .setExpirationTime(time)
      .sign(new TextEncoder().encode(secret));
  const rememberPorto = (token: string) =>
    tokens.app.graphql(
      'mutation { addMemory(input: { content: "Lives in Porto" }) { memory { id } } }',
      {},
      { authorization: `Bearer ${token}` },
    );

  it('asks for one, shows the memories of whom it names, and keeps it nowhere', async () => {
    const token = await tokenFor('5m');
    await rememberPorto(token);
    page = await tokens.open('ana');
    await page.page.getByLabel('Access token').fill(token);
    // The refused connection of somebody unknown is what the browser tells of until then.
    page.faults.length = 0;
    await page.button('Show my memories').click();
    await page.memory('Lives in Porto').waitFor();
    await page.page.getByText('Changes appear as they happen.').waitFor();
    expect(await page.page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie])')).not.toContain(
      token.slice(0, 20),
    );
    expect(page.page.url()).not.toContain(token.slice(0, 20));
  });

  it('shows nothing any more once the token has expired, and asks for another', async () => {
    await rememberPorto(await tokenFor('5m'));
    page = await tokens.open('ana');
    // Five seconds of grace come on top.
    await page.page.getByLabel('Access token').fill(await tokenFor('5s'));
    await page.button('Show my memories').click();
    await page.memory('Lives in Porto').waitFor();
    await page.page.getByText('Changes appear as they happen.').waitFor();
    await page.page.getByLabel('Access token').waitFor();
    expect(await page.memories().count()).toBe(0);
    await page.page.getByRole('alert').getByText('You are not signed in').waitFor();
    page.faults.length = 0;
  });

  it('stays connected where the host renews its tokens', async () => {
    await rememberPorto(await tokenFor('5m'));
    page = await tokens.open('ana');
    let renewed = 0;
    let connections = 0;
    page.page.on('websocket', () => (connections += 1));
    await page.page.exposeFunction('newToken', () => {
      renewed += 1;
      return tokenFor(renewed < 3 ? '1s' : '5m');
    });
    await page.page.evaluate(`document.querySelector('engram-memories').headers = async () => ({
      authorization: 'Bearer ' + (await window.newToken()),
    })`);
    await page.memory('Lives in Porto').waitFor();
    // A second connection is made where the first has ended; how long the page says so is not for a test to see.
    await until(() => renewed >= 3 && connections >= 2);
    await page.page.getByText('Changes appear as they happen.').waitFor();
    await tokens.app.graphql(
      'mutation { addMemory(input: { content: "Has a dog called Rex" }) { memory { id } } }',
      {},
      { authorization: `Bearer ${await tokenFor('5m')}` },
    );
    await page.memory('Has a dog called Rex').waitFor();
    page.faults.length = 0;
  });
});

describe('The memory page of a server that stops', () => {
  let stopping: MemoryPageLab;
  beforeAll(async () => {
    stopping = await MemoryPageLab.start({ PORT: String(await freePort()) });
  }, LAB_STARTS_WITHIN_MS);
  afterAll(() => stopping.stop());

  it(
    'keeps what was typed, says that nothing can be reached, and is live again once it is back',
    async () => {
      await stopping.remember(who, 'Lives in Porto');
      page = await stopping.open(who);
      await page.memory('Lives in Porto').waitFor();
      await page.page.getByText('Changes appear as they happen.').waitFor();
      await stopping.app.stop();
      await page.page.getByText('Not connected for live changes.').waitFor();
      const form = page.page.getByLabel('Remember something');
      await form.fill('Has a dog called Rex');
      await page.button('Remember').click();
      await page.page
        .getByRole('alert')
        .getByText(/cannot be reached/)
        .waitFor();
      expect(await form.inputValue()).toBe('Has a dog called Rex');
      await stopping.restart();
      await page.page.getByText('Changes appear as they happen.').waitFor({ timeout: LAB_STARTS_WITHIN_MS });
      await page.button('Remember').click();
      await page.memory('Has a dog called Rex').waitFor();
      page.faults.length = 0;
    },
    LAB_STARTS_WITHIN_MS,
  );
});
