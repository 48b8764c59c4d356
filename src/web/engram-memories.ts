import { LitElement, css, html, nothing } from 'lit';
import type { PropertyValues, TemplateResult } from 'lit';
import { customElement, property, query, queryAll, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import './engram-memory-form.js';
import './engram-memory.js';
import type { EngramMemory, MemoryChangedEvent } from './engram-memory.js';
import { KINDS, MemoryClient, RefusedError } from './memory-client.js';
import type { Kind, MemoryPage, RequestHeaders, ShownMemory } from './memory-client.js';
import { theme } from './theme.js';
import { KIND_WORDS } from './words.js';

/** Memories that one page brings; the server's own limit is 100. */
const PAGE_SIZE = 20;
const PAGE_SIZE_MAX = 100;

/** Time in which events and key strokes are gathered into one reading, in milliseconds. */
const GATHER_MS = 200;

/**
 * Shows a person what is remembered about them, and lets them search, add, change, restore and forget it, or switch
 * memory off. What it shows is what the server said last: an event only makes it read again.
 *
 * @element engram-memories
 * @fires engram-unauthenticated when the server does not know who calls
 * @cssprop --engram-ink, --engram-muted, --engram-paper, --engram-raised, --engram-line, --engram-accent,
 * --engram-on-accent, --engram-danger, --engram-font
 */
@customElement('engram-memories')
export class EngramMemories extends LitElement {
  static override readonly styles = [
    theme,
    css`
      :host {
        background: var(--paper);
        display: block;
        padding: 1rem;
      }
      section,
      ul {
        display: grid;
        gap: 1rem;
        margin: 0 auto;
        max-width: 45rem;
      }
      ul {
        list-style: none;
        padding: 0;
      }
      header {
        justify-content: space-between;
      }
      h2 {
        font-size: 1.25rem;
        margin: 0;
      }
      h2:focus-visible {
        outline-offset: 4px;
      }
      input[type='search'] {
        flex: 1 1 12rem;
      }
      .notice {
        background: var(--raised);
        border-radius: 0.5rem;
        margin: 0;
        padding: 0.5rem 0.75rem;
      }
      dialog {
        background: var(--paper);
        border: 1px solid var(--line);
        border-radius: 0.75rem;
        color: inherit;
        max-width: min(30rem, calc(100vw - 2rem));
      }
      dialog::backdrop {
        background: rgb(0 0 0 / 50%);
      }
    `,
  ];

  /** Address of the GraphQL endpoint; subscriptions use the same one. */
  @property() endpoint = '/graphql';
  /** Whose memory. @default the caller's own */
  @property() scope: string | null = null;
  @property() override title = '';
  /** Sent with every request and as connection parameters: `() => ({ authorization: 'Bearer ...' })`. */
  @property({ attribute: false }) headers: () => RequestHeaders | Promise<RequestHeaders> = () => ({});

  @state() private memories: readonly ShownMemory[] | null = null;
  @state() private totalCount = 0;
  @state() private cursor: string | null = null;
  @state() private enabled = true;
  @state() private live = false;
  @state() private search = '';
  @state() private kind: Kind | null = null;
  @state() private reading = false;
  @state() private fault = '';
  @state() private said = '';
  @state() private undo: (() => Promise<void>) | null = null;
  @query('dialog') private readonly dialog!: HTMLDialogElement;
  @query('h2') private readonly heading!: HTMLElement;
  @queryAll('engram-memory') private readonly shown!: NodeListOf<EngramMemory>;

  private client: MemoryClient | null = null;
  /** Ends the reading under way: an answer to an earlier question is never shown. */
  private question = new AbortController();
  private gathering: ReturnType<typeof setTimeout> | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener('visibilitychange', this.readIfVisible);
    if (this.hasUpdated) this.open();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('visibilitychange', this.readIfVisible);
    this.shut();
  }

  protected override updated(changed: PropertyValues<this>): void {
    // Someone else's memories must not stand there for a moment longer.
    if (changed.has('endpoint') || changed.has('scope') || changed.has('headers')) this.open();
  }

  override render(): TemplateResult {
    return html`
      <section aria-labelledby="heading">
        <header class="row">
          <h2 id="heading" tabindex="-1">What is remembered</h2>
          <label class="row">
            <input
              type="checkbox"
              role="switch"
              .checked=${this.enabled}
              ?disabled=${!this.memories}
              @change=${this.toggle}
            />
            Memory is ${this.enabled ? 'on' : 'off'}
          </label>
        </header>
        ${
          this.enabled
            ? nothing
            : html`<p class="notice">
                Memory is off: nothing new is learned and nothing is recalled. What is listed here is kept until you
                forget it.
              </p>`
        }
        <div role="alert">
          ${
            this.fault
              ? html`<div class="fault row">
                  <span>${this.fault}</span><button type="button" @click=${this.read}>Try again</button>
                </div>`
              : nothing
          }
        </div>
        <div role="status">
          ${
            this.said
              ? html`<div class="notice row">
                  <span>${this.said}</span>
                  ${this.undo ? html`<button type="button" @click=${this.takeBack}>Undo</button>` : nothing}
                </div>`
              : nothing
          }
        </div>
        ${
          this.memories && this.enabled
            ? html`<engram-memory-form
                label="Remember something"
                submitLabel="Remember"
                .save=${this.add}
              ></engram-memory-form>`
            : nothing
        }
        <div class="row" role="search">
          <input
            type="search"
            aria-label="Search memories"
            placeholder="Search"
            .value=${this.search}
            @input=${this.searchFor}
          />
          <select aria-label="Filter by kind" @change=${this.filter}>
            <option value="">All kinds</option>
            ${KINDS.map((kind) => html`<option value=${kind}>${KIND_WORDS[kind]}</option>`)}
          </select>
        </div>
        ${this.list()}
        <footer class="row">
          <span class="muted">${this.live ? 'Changes appear as they happen.' : 'Not connected for live changes.'}</span>
          <button type="button" class="danger" ?disabled=${!this.memories} @click=${() => this.dialog.showModal()}>
            Forget everything
          </button>
        </footer>
        <dialog aria-labelledby="question" aria-describedby="consequence" @close=${this.answered}>
          <form method="dialog">
            <h2 id="question">Forget everything?</h2>
            <p id="consequence">
              All memories, their history and what waits to be learned are deleted for good. This cannot be undone.
            </p>
            <div class="row">
              <button value="keep" autofocus>Keep everything</button>
              <button value="forget" class="danger">Forget everything</button>
            </div>
          </form>
        </dialog>
      </section>
    `;
  }

  private list(): TemplateResult {
    const { memories, client } = this;
    if (!memories || !client) return html`<p class="muted">${this.fault ? 'Nothing could be read.' : 'Reading…'}</p>`;
    if (memories.length === 0) {
      const why = this.search.trim() || this.kind ? 'Nothing matches.' : 'Nothing is remembered yet.';
      return html`<p class="muted">${why}</p>`;
    }
    return html`
      <p class="muted count">${memories.length} of ${this.totalCount}</p>
      <ul aria-label="Memories" aria-busy=${this.reading ? 'true' : 'false'} @engram-changed=${this.changed}>
        ${repeat(
          memories,
          ({ id }) => id,
          (memory) => html`<li><engram-memory .memory=${memory} .client=${client}></engram-memory></li>`,
        )}
      </ul>
      ${
        this.cursor
          ? html`<button type="button" class="more" ?disabled=${this.reading} @click=${this.readMore}>
              Show more
            </button>`
          : nothing
      }
    `;
  }

  private open(): void {
    this.shut();
    this.memories = null;
    this.said = '';
    this.undo = null;
    this.client = new MemoryClient({
      endpoint: new URL(this.endpoint, document.baseURI).href,
      headers: () => this.headers(),
      scope: this.scope,
    });
    this.client.watch(this.readSoon, (live) => (this.live = live));
    void this.read();
  }

  private shut(): void {
    clearTimeout(this.gathering);
    this.question.abort();
    this.client?.close();
    this.client = null;
  }

  private readonly readSoon = (): void => {
    clearTimeout(this.gathering);
    this.gathering = setTimeout(() => void this.read(), GATHER_MS);
  };

  private readonly readIfVisible = (): void => {
    if (document.visibilityState === 'visible') this.readSoon();
  };

  /** Reads as many memories as are shown, from the newest on. */
  private readonly read = (): Promise<void> =>
    this.ask(async (client, signal) => {
      const wanted = Math.max(PAGE_SIZE, this.memories?.length ?? 0);
      const found: ShownMemory[] = [];
      for (let after: string | null = null; ;) {
        const first = Math.min(PAGE_SIZE_MAX, wanted - found.length);
        const page: MemoryPage = await client.list({ search: this.search, kind: this.kind, first, after, signal });
        found.push(...page.memories);
        after = page.endCursor;
        if (!page.hasNextPage || found.length >= wanted) return this.show(found, page);
      }
    });

  private readonly readMore = (): Promise<void> =>
    this.ask(async (client, signal) => {
      const before = this.memories ?? [];
      const page = await client.list({
        search: this.search,
        kind: this.kind,
        first: PAGE_SIZE,
        after: this.cursor,
        signal,
      });
      this.show([...before, ...page.memories], page);
      await this.updateComplete;
      const next = this.shown[before.length];
      await next?.updateComplete;
      next?.focus();
    });

  private show(memories: readonly ShownMemory[], { totalCount, hasNextPage, endCursor, enabled }: MemoryPage): void {
    this.memories = memories;
    this.totalCount = totalCount;
    this.cursor = hasNextPage ? endCursor : null;
    this.enabled = enabled;
  }

  /** Asks the server; the question before it, where that is still open, no longer counts. */
  private async ask(work: (client: MemoryClient, signal: AbortSignal) => Promise<void>): Promise<void> {
    const { client } = this;
    if (!client) return;
    this.question.abort();
    const question = new AbortController();
    this.question = question;
    this.reading = true;
    try {
      await work(client, question.signal);
      this.fault = '';
    } catch (error) {
      if (!question.signal.aborted) this.fail(error);
    } finally {
      if (this.question === question) this.reading = false;
    }
  }

  private fail(error: unknown): void {
    this.fault = error instanceof Error ? error.message : 'That did not work.';
    if (!(error instanceof RefusedError) || error.code !== 'UNAUTHENTICATED') return;
    this.memories = null;
    this.dispatchEvent(new Event('engram-unauthenticated', { bubbles: true, composed: true }));
  }

  private readonly add = async (content: string, kind: Kind): Promise<void> => {
    await this.client?.add(content, kind);
    this.say('Remembered.');
    await this.read();
  };

  private readonly searchFor = (event: InputEvent): void => {
    this.search = (event.target as HTMLInputElement).value;
    this.readSoon();
  };

  private readonly filter = (event: Event): void => {
    const { value } = event.target as HTMLSelectElement;
    this.kind = KINDS.find((kind) => kind === value) ?? null;
    void this.read();
  };

  private readonly toggle = (event: Event): Promise<void> => {
    const enabled = (event.target as HTMLInputElement).checked;
    return this.change(async (client) => {
      await client.setEnabled(enabled);
      this.say(enabled ? 'Memory is on.' : 'Memory is off.');
    });
  };

  private readonly answered = async (): Promise<void> => {
    const { returnValue } = this.dialog;
    this.dialog.returnValue = '';
    if (returnValue !== 'forget') return;
    await this.change(async (client) => {
      const count = await client.forgetAll();
      this.say(count === 1 ? 'Everything is forgotten: 1 memory.' : `Everything is forgotten: ${count} memories.`);
    });
    this.heading.focus();
  };

  private readonly changed = async (event: MemoryChangedEvent): Promise<void> => {
    const place = [...this.shown].indexOf(event.target as EngramMemory);
    this.say(event.what, event.undo);
    await this.read();
    await this.updateComplete;
    // The focus stood on what is gone: it goes to the memory that took its place.
    if (!this.shadowRoot?.activeElement) (this.shown[Math.min(place, this.shown.length - 1)] ?? this.heading).focus();
  };

  private readonly takeBack = (): Promise<void> =>
    this.change(async () => {
      await this.undo?.();
      this.say('Taken back.');
      this.heading.focus();
    });

  private async change(work: (client: MemoryClient) => Promise<void>): Promise<void> {
    const { client } = this;
    if (!client) return;
    try {
      await work(client);
    } catch (error) {
      this.fail(error);
      // The switch shows what the person set; what holds is the server's word.
      this.requestUpdate();
      return;
    }
    await this.read();
  }

  private say(what: string, undo: (() => Promise<void>) | null = null): void {
    this.said = what;
    this.undo = undo;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'engram-memories': EngramMemories;
  }
}
