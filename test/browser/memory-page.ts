import { chromium } from 'playwright-core';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { AppProcess, temporaryFolder } from '../server/app-process.js';

/** For whatever the page or the browser does; a busy machine needs a part of it. */
const PATIENCE_MS = 120_000;

/** The reference app with its memory page, and a browser that looks at it. */
export class MemoryPageLab {
  private constructor(
    public app: AppProcess,
    private readonly browser: Browser,
    private readonly folder: ReturnType<typeof temporaryFolder>,
    private readonly env: Readonly<Record<string, string>>,
  ) {}

  static async start(env: Readonly<Record<string, string>> = {}): Promise<MemoryPageLab> {
    const executablePath = process.env['CHROMIUM_PATH'];
    if (executablePath === undefined) throw new Error('CHROMIUM_PATH is not set. Run npm run test:browser.');
    const folder = temporaryFolder();
    const appEnv = { ENGRAM_DATA_DIR: folder.path, ...env };
    const app = await AppProcess.start(appEnv);
    // Root may not use Chromium's own sandbox; the pages are ours.
    const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    const browser = await chromium.launch({ executablePath, args, timeout: PATIENCE_MS });
    return new MemoryPageLab(app, browser, folder, appEnv);
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await this.app.stop();
    this.folder.remove();
  }

  /** Starts the app again, on the same data; at the same address where it was given a port. */
  async restart(): Promise<void> {
    this.app = await AppProcess.start(this.env);
  }

  /** A new person at a new browser. `user` is who they say they are. */
  async open(user: string, options: Parameters<Browser['newContext']>[0] = {}): Promise<OpenPage> {
    const context = await this.browser.newContext(options);
    context.setDefaultTimeout(PATIENCE_MS);
    const page = new OpenPage(context, await context.newPage());
    await page.page.goto(`${this.app.url}/memories?user=${encodeURIComponent(user)}`);
    return page;
  }

  /** Adds memories as that person, past the page. */
  async remember(user: string, ...contents: readonly string[]): Promise<void> {
    for (const content of contents) {
      const { errors } = await this.app.graphql(
        'mutation ($input: AddMemoryInput!) { addMemory(input: $input) { memory { id } rejection { reason } } }',
        { input: { content } },
        { 'x-user-id': user },
      );
      if (errors) throw new Error(errors[0]?.message);
    }
  }
}

export class OpenPage {
  /** What the page should never cause: errors, refused scripts, dialogs, requests to other hosts. */
  readonly faults: string[] = [];

  constructor(
    private readonly context: BrowserContext,
    readonly page: Page,
  ) {
    page.on('pageerror', (error) => this.faults.push(`error: ${error.message}`));
    page.on('console', (message) => {
      if (message.type() === 'error') this.faults.push(`console: ${message.text()}`);
    });
    page.on('dialog', (dialog) => {
      this.faults.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('request', (request) => {
      const { hostname } = new URL(request.url());
      if (hostname !== '127.0.0.1') this.faults.push(`request: ${request.url()}`);
    });
  }

  /** The memory that says so, and what can be done with it. */
  memory(content: string): Locator {
    return this.page.getByRole('article', { name: `Memory: ${content}`, exact: true });
  }

  memories(): Locator {
    return this.page.getByRole('article');
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  async add(content: string, kind = 'Fact'): Promise<void> {
    await this.page.getByLabel('Remember something').fill(content);
    await this.page.getByRole('combobox', { name: 'Kind', exact: true }).selectOption(kind);
    await this.button('Remember').click();
    await this.memory(content).waitFor();
  }

  /** Opens a memory for a change, and types that without keeping it. */
  async edit(content: string, changed: string): Promise<void> {
    await this.memory(content).getByRole('button', { name: 'Edit' }).click();
    await this.page.getByLabel('Change this memory').fill(changed);
  }

  /** What has the focus: its words, and the memory that it is about. */
  focused(): Promise<string> {
    return this.page.evaluate(`(() => {
      let at = document.activeElement;
      while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
      if (!at || at === document.body) return '';
      const about = at.getRootNode().querySelector('#content');
      return [at, about].filter(Boolean).map(({ innerText }) => innerText.trim()).join(', ');
    })()`);
  }

  /** What can be operated, as the accessibility tree has it. */
  async controls(): Promise<{ role: string; name: string; description: string }[]> {
    const session = await this.context.newCDPSession(this.page);
    const { nodes } = await session.send('Accessibility.getFullAXTree');
    await session.detach();
    return nodes
      .filter(
        ({ ignored, properties = [] }) =>
          !ignored && properties.some(({ name, value }) => name === 'focusable' && value.value === true),
      )
      .map(({ role, name, description }) => ({
        role: String(role?.value ?? ''),
        name: String(name?.value ?? ''),
        description: String(description?.value ?? ''),
      }));
  }

  close(): Promise<void> {
    return this.context.close();
  }
}
