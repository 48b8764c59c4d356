import { LitElement, css, html, nothing } from 'lit';
import type { PropertyValues, TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import './engram-memory-form.js';
import type { EngramMemoryForm } from './engram-memory-form.js';
import type { Kind, MemoryClient, ShownMemory, ShownRevision } from './memory-client.js';
import { theme } from './theme.js';
import { END_WORDS, KIND_WORDS, SOURCE_WORDS, dateWords } from './words.js';

/** Says that something about memories changed, so that the list reads them again. */
export class MemoryChangedEvent extends Event {
  constructor(
    /** For people: what happened. */
    readonly what: string,
    /** Takes it back; null where that cannot be. */
    readonly undo: (() => Promise<void>) | null = null,
  ) {
    super('engram-changed', { bubbles: true, composed: true });
  }
}

/** One memory: its text, where it comes from, what it was before, and what can be done with it. */
@customElement('engram-memory')
export class EngramMemory extends LitElement {
  static override readonly styles = [
    theme,
    css`
      article {
        border: 1px solid var(--line);
        border-radius: 0.75rem;
        display: grid;
        gap: 0.5rem;
        padding: 0.75rem;
      }
      .kind {
        background: var(--raised);
        border-radius: 1rem;
        padding: 0 0.5rem;
      }
      ol {
        border-inline-start: 3px solid var(--line);
        display: grid;
        gap: 0.75rem;
        list-style: none;
        margin: 0;
        padding: 0 0 0 0.75rem;
      }
    `,
  ];

  @property({ attribute: false }) memory!: ShownMemory;
  @property({ attribute: false }) client!: MemoryClient;

  @state() private editing = false;
  @state() private busy = false;
  @state() private fault = '';
  /** Null while it is closed. */
  @state() private revisions: readonly ShownRevision[] | null = null;
  @query('.edit') private readonly editButton?: HTMLButtonElement;
  @query('engram-memory-form') private readonly form?: EngramMemoryForm;

  override render(): TemplateResult {
    const { memory } = this;
    return html`
      <article aria-label=${`Memory: ${memory.content}`}>
        ${
          this.editing
            ? html`<engram-memory-form
                label="Change this memory"
                submitLabel="Save"
                cancellable
                .content=${memory.content}
                .kind=${memory.kind}
                .save=${this.save}
                @cancel=${this.stopEditing}
              ></engram-memory-form>`
            : html`<p class="content" dir="auto">${memory.content}</p>`
        }
        <div class="row muted">
          <span class="kind">${KIND_WORDS[memory.kind]}</span>
          <span>${SOURCE_WORDS[memory.source]}</span>
          <time datetime=${memory.createdAt}>${dateWords(memory.createdAt)}</time>
          ${memory.expiresAt ? html`<span>until ${dateWords(memory.expiresAt)}</span>` : nothing}
        </div>
        <div role="alert">${this.fault ? html`<p class="fault">${this.fault}</p>` : nothing}</div>
        <div class="row">
          ${
            this.editing
              ? nothing
              : html`<button type="button" class="edit" ?disabled=${this.busy} @click=${this.edit}>Edit</button>`
          }
          <button
            type="button"
            class="history"
            aria-expanded=${this.revisions ? 'true' : 'false'}
            ?disabled=${this.busy}
            @click=${this.toggleHistory}
          >
            History
          </button>
          <button type="button" class="danger forget" ?disabled=${this.busy} @click=${this.forget}>Forget</button>
        </div>
        ${this.revisions ? this.history(this.revisions) : nothing}
      </article>
    `;
  }

  /** Moves the focus to the first thing that can be done with it. */
  override focus(): void {
    this.editButton?.focus();
  }

  protected override updated(changed: PropertyValues<this>): void {
    const before = changed.get('memory');
    // An open history shows what has become history meanwhile.
    if (this.revisions && before && before.version !== this.memory.version) void this.attempt(() => this.readHistory());
  }

  private history(revisions: readonly ShownRevision[]): TemplateResult {
    if (revisions.length === 0) return html`<p class="muted">It was never changed.</p>`;
    return html`<ol aria-label="Earlier states, latest first">
      ${revisions.map(
        (revision) =>
          html`<li>
            <p class="content" dir="auto">${revision.content}</p>
            <div class="row muted">
              <span class="kind">${KIND_WORDS[revision.kind]}</span>
              <span>
                <time datetime=${revision.validFrom}>${dateWords(revision.validFrom)}</time> to
                <time datetime=${revision.validTo}>${dateWords(revision.validTo)}</time>, then
                ${END_WORDS[revision.endedBy]}
              </span>
              <button type="button" ?disabled=${this.busy} @click=${() => this.restore(revision)}>Restore this</button>
            </div>
          </li>`,
      )}
    </ol>`;
  }

  private readonly edit = (): void => {
    this.editing = true;
    void this.updateComplete.then(() => this.form?.focus());
  };

  private readonly stopEditing = (): void => {
    this.editing = false;
    void this.updateComplete.then(() => this.editButton?.focus());
  };

  private readonly save = async (content: string, kind: Kind): Promise<void> => {
    const { id } = this.memory;
    if (content !== this.memory.content || kind !== this.memory.kind) {
      await this.client.update(id, content, kind);
      this.dispatchEvent(new MemoryChangedEvent('Changed.'));
    }
    this.stopEditing();
  };

  private readonly toggleHistory = (): Promise<void> =>
    this.attempt(async () => {
      if (this.revisions) this.revisions = null;
      else await this.readHistory();
    });

  private async readHistory(): Promise<void> {
    this.revisions = await this.client.history(this.memory.id);
  }

  private readonly forget = (): Promise<void> =>
    this.attempt(async () => {
      const { client } = this;
      const { id, version } = this.memory;
      await client.forget(id);
      this.dispatchEvent(new MemoryChangedEvent('Forgotten.', () => client.restore(id, version)));
    });

  private restore(revision: ShownRevision): Promise<void> {
    return this.attempt(async () => {
      await this.client.restore(this.memory.id, revision.version);
      this.dispatchEvent(new MemoryChangedEvent('Restored.'));
    });
  }

  /** Runs one action at a time; what goes wrong is shown with the memory that it is about. */
  private async attempt(work: () => Promise<void>): Promise<void> {
    this.busy = true;
    this.fault = '';
    try {
      await work();
    } catch (error) {
      this.fault = error instanceof Error ? error.message : 'That did not work. Try again.';
    } finally {
      this.busy = false;
    }
  }
}
