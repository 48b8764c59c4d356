import { LitElement, css, html, nothing } from 'lit';
import type { PropertyValues, TemplateResult } from 'lit';
import { customElement, property, query, queryAll, state } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import { repeat } from 'lit/directives/repeat.js';
import './engram-memory-form.js';
import type { EngramMemoryForm } from './engram-memory-form.js';
import './engram-memory.js';
import type { EngramMemory, MemoryChangedEvent } from './engram-memory.js';
import { LiveChanges } from './live-changes.js';
import type { EngramMemories as MemoriesElement, RequestHeaders } from './memories-element.js';
import { KINDS, MemoryClient, RefusedError } from './memory-client.js';
import type { Kind, MemoryPage, ShownMemory } from './memory-client.js';
import { theme } from './theme.js';
import { KIND_WORDS, excerpt } from './words.js';

/** Memories that are read at first, and with each "Show more": as many as the server gives at once. */
const PAGE_SIZE = 20;
const PAGE_SIZE_MAX = 100;

/** Most memories that are read one by one; of more, everything that is shown is read again. */
const NAMED_MAX = 10;

/** Time in which events and key strokes are gathered into one reading, in milliseconds. */
const GATHER_MS = 200;

/** What went wrong, and what tries it again. */
interface Fault {
  readonly what: string;
  readonly retry: () => Promise<void>;
}

/** What was done, to which text, and what takes it back. */
interface Said {
  readonly what: string;
  readonly content: string;
  readonly undo: { readonly id: string; readonly run: () => Promise<void> } | null;
}

/** The element of `memories-element.ts`. */
@customElement('engram-memories')
export class EngramMemories extends LitElement implements MemoriesElement {
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
        gap: 0.5rem;
        list-style: none;
        padding: 0;
        width: 100%;
      }
      header,
      footer {
        justify-content: space-between;
      }
      h2 {
        font-size: 1.125rem;
        margin: 0;
      }
      h2:focus-visible {
        outline-offset: 4px;
      }
      p {
        margin: 0;
      }
      .search {
        border-block-start: 1px solid var(--line);
        padding-block-start: 1rem;
      }
      .search input {
        flex: 1 1 10rem;
        min-width: 0;
      }
      /* Stays in sight where it tells of a memory far down; empty, it takes no room. */
      .told {
        margin-block-end: -1rem;
        position: sticky;
        inset-block-start: 0.5rem;
        z-index: 1;
      }
      .told .row {
        box-shadow: 0 2px 8px rgb(0 0 0 / 15%);
        justify-content: space-between;
        margin-block-end: 1rem;
      }
      .told span {
        flex: 1 1 12rem;
      }
      .live::before {
        background: var(--muted);
        border-radius: 50%;
        content: '';
        display: inline-block;
        height: 0.5rem;
        margin-inline-end: 0.5rem;
        width: 0.5rem;
      }
      .live.on::before {
        background: var(--accent);
      }
      footer button {
        margin-inline-end: -0.75rem;
      }
      .more {
        justify-self: center;
      }
      label {
        cursor: pointer;
      }
      [role='switch'] {
        appearance: none;
        background: var(--muted);
        border: 0;
        border-radius: 1rem;
        cursor: pointer;
        height: 1.5rem;
        margin: 0;
        min-height: 0;
        padding: 0.1875rem;
        width: 2.625rem;
      }
      [role='switch']::before {
        background: var(--paper);
        border-radius: 50%;
        content: '';
        display: block;
        height: 1.125rem;
        width: 1.125rem;
      }
      [role='switch']:checked {
        background: var(--accent);
      }
      [role='switch']:checked::before {
        margin-inline-start: 1.125rem;
      }
      @media (prefers-reduced-motion: no-preference) {
        [role='switch']::before {
          transition: margin 0.15s;
        }
      }
      @media (forced-colors: active) {
        [role='switch'] {
          appearance: auto;
          width: 1.5rem;
        }
        [role='switch']::before {
          content: none;
        }
      }
      dialog {
        background: var(--paper);
        border: 1px solid var(--line);
        border-radius: 0.75rem;
        color: inherit;
        max-width: min(30rem, calc(100vw - 2rem));
        padding: 1.5rem;
      }
      dialog p {
        margin-block: 0.75rem 1.25rem;
      }
      dialog::backdrop {
        background: rgb(0 0 0 / 50%);
      }
    `,
  ];

  @property() endpoint = '/graphql';
  @property() scope: string | null = null;
  @property({ attribute: false }) headers: () => RequestHeaders | Promise<RequestHeaders> = () => ({});

  @state() private memories: readonly ShownMemory[] | null = null;
  /** Those that only stay because they are being edited, and whether they are forgotten. */
  @state() private kept: ReadonlyMap<string, boolean> = new Map();
  @state() private totalCount = 0;
  @state() private cursor: string | null = null;
  @state() private enabled = true;
  @state() private live = false;
  @state() private search = '';
  @state() private kind: Kind | null = null;
  @state() private reading = false;
  @state() private fault: Fault | null = null;
  @state() private said: Said | null = null;
  @query('engram-memory-form') private readonly form!: EngramMemoryForm;
  @query('dialog') private readonly dialog!: HTMLDialogElement;
  @query('h2') private readonly heading!: HTMLElement;
  @queryAll('engram-memory') private readonly shown!: NodeListOf<EngramMemory>;

  private client: MemoryClient | null = null;
  private changes: LiveChanges | null = null;
  /** What may have changed since the last reading began, by id; null is everything. */
  private unread = new Set<string | null>();
  /** What the reading under way is about, with that of those before it which came to nothing. */
  private asked = new Set<string | null>();
  /** Ends the reading under way: an answer to an earlier question is never shown. */
  private question = new AbortController();
  private gathering: ReturnType<typeof setTimeout> | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener('visibilitychange', this.readIfVisible);
    window.addEventListener('online', this.readIfVisible);
    if (this.hasUpdated) this.open();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('visibilitychange', this.readIfVisible);
    window.removeEventListener('online', this.readIfVisible);
    this.shut();
  }

  protected override updated(changed: PropertyValues<this>): void {
    // Someone else's memories must not stand there for a moment longer.
    if (changed.has('endpoint') || changed.has('scope') || changed.has('headers')) this.open();
  }

  override render(): TemplateResult {
    return html`
      <section aria-labelledby="heading" dir="ltr" lang="en">
        <header class="row">
          <h2 id="heading" tabindex="-1">What is remembered</h2>
          <label class="row" ?hidden=${!this.memories}>
            <input type="checkbox" role="switch" .checked=${live(this.enabled)} @change=${this.toggle} />
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
        <div class="told">
          <div role="alert">
            ${
              this.fault
                ? html`<div class="fault row">
                    <span>${this.fault.what}</span><button type="button" @click=${this.fault.retry}>Try again</button>
                  </div>`
                : nothing
            }
          </div>
          <div role="status">
            ${
              this.said
                ? html`<div class="notice row">
                    <span>${this.said.what} <bdi class="muted">${excerpt(this.said.content)}</bdi></span>
                    ${
                      this.said.undo && this.enabled
                        ? html`<button type="button" @click=${this.takeBack}>Undo</button>`
                        : nothing
                    }
                  </div>`
                : nothing
            }
          </div>
        </div>
        <engram-memory-form
          ?hidden=${!this.memories || !this.enabled}
          label="Remember something"
          submitLabel="Remember"
          .save=${this.add}
        ></engram-memory-form>
        <div class="row search" role="search" ?hidden=${!this.memories}>
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
        <footer class="row" ?hidden=${!this.memories}>
          <span class=${this.live ? 'muted live on' : 'muted live'}
            >${this.live ? 'Changes appear as they happen.' : 'Not connected for live changes.'}</span
          >
          <button type="button" class="danger quiet" @click=${() => this.dialog.showModal()}>Forget everything</button>
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

  /** How much is shown, said to those who cannot see it too. */
  private count(): string {
    const { memories, kept } = this;
    if (!memories) return this.fault ? '' : 'Reading…';
    if (this.totalCount > 0) return `${memories.length - kept.size} of ${this.totalCount}`;
    return this.search.trim() || this.kind ? 'Nothing matches.' : 'Nothing is remembered yet.';
  }

  private list(): TemplateResult {
    const { memories, client, kept } = this;
    return html`
      <p class="muted" role="status">${this.count()}</p>
      ${
        memories && memories.length > 0 && client
          ? html`<ul
              aria-label="Memories"
              aria-busy=${this.reading ? 'true' : 'false'}
              @engram-changed=${this.changed}
              @engram-edit-ended=${this.letGo}
            >
              ${repeat(
                memories,
                ({ id }) => id,
                (memory) =>
                  html`<li>
                    <engram-memory
                      .memory=${memory}
                      .client=${client}
                      .gone=${kept.get(memory.id) ?? false}
                      .frozen=${!this.enabled}
                    ></engram-memory>
                  </li>`,
              )}
            </ul>`
          : nothing
      }
      ${
        this.cursor
          ? html`<button
              type="button"
              class="more"
              aria-disabled=${this.reading ? 'true' : 'false'}
              @click=${this.readMore}
            >
              Show more
            </button>`
          : nothing
      }
    `;
  }

  private open(): void {
    this.shut();
    this.memories = null;
    this.kept = new Map();
    this.cursor = null;
    this.said = null;
    this.fault = null;
    this.form.clear();
    const server = {
      endpoint: new URL(this.endpoint, document.baseURI).href,
      headers: () => this.headers(),
      scope: this.scope,
    };
    const client = new MemoryClient({
      ...server,
      onUnauthenticated: () => {
        if (this.client === client) this.sendAway();
      },
    });
    this.client = client;
    this.changes = new LiveChanges({
      ...server,
      onChange: this.heard,
      onState: (live) => (this.live = live),
    });
    void this.read();
  }

  private shut(): void {
    clearTimeout(this.gathering);
    this.question.abort();
    this.changes?.close();
    this.changes = null;
    this.client = null;
    this.live = false;
  }

  private sendAway(): void {
    this.memories = null;
    this.cursor = null;
    this.said = null;
    this.fault = { what: 'You are not signed in, or not any more.', retry: this.read };
    this.dispatchEvent(new Event('engram-unauthenticated', { bubbles: true, composed: true }));
  }

  private readonly heard = (memoryId: string | null): void => {
    this.unread.add(memoryId);
    this.catchUpSoon();
  };

  private catchUpSoon(): void {
    clearTimeout(this.gathering);
    this.gathering = setTimeout(() => {
      // A long reading comes to its end, however often something changes.
      if (this.reading && !this.unread.has(null)) this.catchUpSoon();
      else void this.catchUp();
    }, GATHER_MS);
  }

  private readonly readIfVisible = (): void => {
    if (document.visibilityState !== 'visible') return;
    this.changes?.hurry();
    this.heard(null);
  };

  private readonly read = (): Promise<void> => this.catchUp([null]);

  /** Reads what may have changed: all that is shown, unless that is much, and the few that have are known by their ids. */
  private catchUp(changed: Iterable<string | null> = []): Promise<void> {
    this.asked = new Set([...this.asked, ...this.unread, ...changed]);
    this.unread.clear();
    const named = [...this.asked].filter((id) => id !== null);
    // Whether a text matches what is searched for is the server's to say.
    const isMuch = (this.memories?.length ?? 0) > PAGE_SIZE_MAX && this.search.trim() === '';
    const isKnown = !this.asked.has(null) && named.length <= NAMED_MAX;
    return this.ask(async (client, signal) => {
      await (isMuch && isKnown ? this.readNamed(named, client, signal) : this.readShown(client, signal));
      if (!signal.aborted) this.asked.clear();
    });
  }

  /** Reads as many memories as are shown, from the newest on. */
  private async readShown(client: MemoryClient, signal: AbortSignal): Promise<void> {
    const wanted = Math.max(PAGE_SIZE, (this.memories?.length ?? 0) - this.kept.size);
    const found: ShownMemory[] = [];
    for (let after: string | null = null; ;) {
      const first = Math.min(PAGE_SIZE_MAX, wanted - found.length);
      const page: MemoryPage = await client.list({ search: this.search, kind: this.kind, first, after, signal });
      found.push(...page.memories);
      after = page.endCursor;
      if (!page.hasNextPage || found.length >= wanted)
        return this.show(await this.withEdited(found, client, signal), page);
    }
  }

  /** Reads these memories, and how many there are; the others that are shown stay as they are. */
  private async readNamed(ids: readonly string[], client: MemoryClient, signal: AbortSignal): Promise<void> {
    const [page, ...found] = await Promise.all([
      client.list({ search: '', kind: this.kind, first: 1, after: null, signal }),
      ...ids.map((id) => client.find(id, signal)),
    ]);
    const memories = [...(this.memories ?? [])];
    const kept = new Map(this.kept);
    const edited = new Set([...this.shown].filter(({ isEdited }) => isEdited).map(({ memory }) => memory.id));
    for (const [number, id] of ids.entries()) {
      const now = found[number] ?? null;
      const place = memories.findIndex((memory) => memory.id === id);
      const matches = now !== null && (this.kind === null || now.kind === this.kind);
      kept.delete(id);
      if (place < 0) {
        if (matches) this.insert(memories, now);
      } else if (matches) {
        memories[place] = now;
      } else if (edited.has(id)) {
        // As in `withEdited`.
        memories[place] = now ?? (memories[place] as ShownMemory);
        kept.set(id, now === null);
      } else {
        memories.splice(place, 1);
      }
    }
    this.kept = kept;
    await this.show(memories, { ...page, endCursor: this.cursor, hasNextPage: this.cursor !== null });
  }

  /** In the order of the server, newest first; what comes after all that is shown is for "Show more". */
  private insert(memories: ShownMemory[], memory: ShownMemory): void {
    const place = memories.findIndex(
      ({ createdAt, id }) => createdAt < memory.createdAt || (createdAt === memory.createdAt && id < memory.id),
    );
    if (place >= 0) memories.splice(place, 0, memory);
    else if (this.cursor === null) memories.push(memory);
  }

  private readonly readMore = async (): Promise<void> => {
    if (this.reading) return;
    const shown = this.memories ?? [];
    await this.ask(async (client, signal) => {
      const page = await client.list({
        search: this.search,
        kind: this.kind,
        first: PAGE_SIZE_MAX,
        after: this.cursor,
        signal,
      });
      const isNew = new Set(page.memories.map(({ id }) => id));
      const before = shown.filter(({ id }) => !isNew.has(id));
      this.kept = new Map([...this.kept].filter(([id]) => !isNew.has(id)));
      await this.show([...before, ...page.memories], page);
      this.shown[before.length]?.focus();
    });
  };

  /** What is being edited stays, forgotten or no longer a match: what was typed must not go away with it. */
  private async withEdited(
    found: readonly ShownMemory[],
    client: MemoryClient,
    signal: AbortSignal,
  ): Promise<readonly ShownMemory[]> {
    const all = [...found];
    const kept = new Map<string, boolean>();
    for (const [place, { isEdited, memory }] of [...this.shown].entries()) {
      if (!isEdited || found.some(({ id }) => id === memory.id)) continue;
      const now = await client.find(memory.id, signal);
      all.splice(place, 0, now ?? memory);
      kept.set(memory.id, now === null);
    }
    this.kept = kept;
    return all;
  }

  private async show(
    memories: readonly ShownMemory[],
    { totalCount, hasNextPage, endCursor, enabled }: MemoryPage,
  ): Promise<void> {
    const place = [...this.shown].findIndex((shown) => shown === this.shadowRoot?.activeElement);
    this.memories = memories;
    this.totalCount = totalCount;
    this.cursor = hasNextPage ? endCursor : null;
    this.enabled = enabled;
    await this.updateComplete;
    // The focus stood on what is gone: it goes to the memory that took its place.
    if (place >= 0 && !this.shadowRoot?.activeElement)
      (this.shown[Math.min(place, this.shown.length - 1)] ?? this.heading).focus();
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
      this.fault = null;
    } catch (error) {
      if (!question.signal.aborted) this.fail(error, this.read);
    } finally {
      if (this.question === question) this.reading = false;
    }
  }

  private fail(error: unknown, retry: () => Promise<void>): void {
    if (error instanceof RefusedError && error.code === 'UNAUTHENTICATED') return;
    this.fault = { what: error instanceof Error ? error.message : 'That did not work.', retry };
  }

  private readonly add = async (content: string, kind: Kind): Promise<void> => {
    const id = await this.client?.add(content, kind);
    this.said = { what: 'Remembered.', content, undo: null };
    void this.catchUp([id ?? null]);
  };

  private readonly searchFor = (event: InputEvent): void => {
    this.search = (event.target as HTMLInputElement).value;
    this.heard(null);
  };

  private readonly filter = (event: Event): void => {
    const { value } = event.target as HTMLSelectElement;
    this.kind = KINDS.find((kind) => kind === value) ?? null;
    void this.read();
  };

  private readonly toggle = (event: Event): Promise<void> => {
    const enabled = (event.target as HTMLInputElement).checked;
    return this.change([], async (client) => {
      await client.setEnabled(enabled);
      this.said = { what: enabled ? 'Memory is on.' : 'Memory is off.', content: '', undo: null };
    });
  };

  private readonly answered = async (): Promise<void> => {
    const { returnValue } = this.dialog;
    this.dialog.returnValue = '';
    if (returnValue !== 'forget') return;
    await this.change([null], async (client) => {
      const count = await client.forgetAll();
      const what = count === 1 ? '1 memory' : `${count} memories`;
      this.said = { what: `Everything is forgotten: ${what}.`, content: '', undo: null };
    });
    this.heading.focus();
  };

  private readonly changed = ({ what, memoryId, content, undo, target }: MemoryChangedEvent): void => {
    const { id } = (target as EngramMemory).memory;
    this.said = { what, content, undo: undo && { id, run: undo } };
    void this.catchUp([memoryId]);
  };

  private readonly letGo = (): void => {
    if (this.kept.size > 0) void this.catchUp(this.kept.keys());
  };

  private readonly takeBack = async (): Promise<void> => {
    const { undo = null, content = '' } = this.said ?? {};
    if (!undo) return;
    await this.change([undo.id], async () => {
      await undo.run();
      this.said = { what: 'Taken back.', content, undo: null };
    });
    // The button that had the focus is gone, unless it failed.
    if (!this.said?.undo) ([...this.shown].find(({ memory }) => memory.id === undo.id) ?? this.heading).focus();
  };

  /** Changes something and reads what holds then of these; what failed can be tried again. */
  private async change(
    changed: readonly (string | null)[],
    work: (client: MemoryClient) => Promise<void>,
  ): Promise<void> {
    const { client } = this;
    if (!client) return;
    try {
      await work(client);
    } catch (error) {
      this.fail(error, () => this.change(changed, work));
      // The switch shows what the person set; what holds is the server's word.
      this.requestUpdate();
      return;
    }
    await this.catchUp(changed);
  }
}
