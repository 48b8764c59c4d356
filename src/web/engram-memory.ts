import { LitElement, css, html, nothing } from 'lit';
import type { PropertyValues, TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import './engram-memory-form.js';
import type { EngramMemoryForm } from './engram-memory-form.js';
import type { Kind, MemoryClient, ShownMemory, ShownRevision } from './memory-client.js';
import { theme } from './theme.js';
import { END_WORDS, KIND_WORDS, SOURCE_WORDS, dateWords } from './words.js';

/** Says that something about a memory changed, so that the list reads it again. */
export class MemoryChangedEvent extends Event {
  constructor(
    /** For people: what happened. */
    readonly what: string,
    /** Null where any may be another now. */
    readonly memoryId: string | null,
    /** The text that it happened to. */
    readonly content: string,
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
        gap: 0.25rem;
        padding: 0.75rem 1rem 0.375rem;
      }
      .below {
        justify-content: space-between;
      }
      .actions {
        gap: 0;
        /* The words of the last button end where the text does. */
        margin-inline: auto -0.75rem;
      }
      /* Empty, it takes no room. */
      [role='alert'] {
        margin-block-start: -0.25rem;
      }
      .fault {
        margin-block-start: 0.25rem;
      }
      .kind {
        background: var(--raised);
        border-radius: 1rem;
        padding: 0 0.5rem;
      }
      ol {
        border-inline-start: 3px solid var(--line);
        display: grid;
        gap: 0.5rem;
        list-style: none;
        margin: 0;
        padding: 0;
        padding-inline-start: 0.75rem;
      }
    `,
  ];

  @property({ attribute: false }) memory!: ShownMemory;
  @property({ attribute: false }) client!: MemoryClient;
  /** It was forgotten while it was being edited. */
  @property({ attribute: false }) gone = false;
  /** Memory is off: it can be seen and forgotten, not changed. */
  @property({ attribute: false }) frozen = false;

  /** What it was when the edit began; null while it is not edited. */
  @state() private edited: ShownMemory | null = null;
  @state() private busy = false;
  @state() private fault = '';
  /** Null while it is closed. */
  @state() private revisions: readonly ShownRevision[] | null = null;
  @query('.below button') private readonly firstButton?: HTMLButtonElement;
  @query('engram-memory-form') private readonly form?: EngramMemoryForm;

  /** What was typed into it is not kept yet, so it must not go away. */
  get isEdited(): boolean {
    return this.edited !== null;
  }

  override render(): TemplateResult {
    const { memory, edited, frozen } = this;
    return html`
      <article aria-label=${`Memory: ${memory.content}`}>
        ${
          edited
            ? html`<engram-memory-form
                label="Change this memory"
                submitLabel="Save"
                cancellable
                .content=${edited.content}
                .kind=${edited.kind}
                .note=${this.note(edited)}
                .save=${this.save}
                @cancel=${this.stopEditing}
              ></engram-memory-form>`
            : html`<p id="content" class="content" dir="auto" lang="">${memory.content}</p>`
        }
        <div class="row below">
          <div class="row muted">
            <span class="kind">${KIND_WORDS[memory.kind]}</span>
            <span>${SOURCE_WORDS[memory.source]}</span>
            <time datetime=${memory.createdAt}>${dateWords(memory.createdAt)}</time>
            ${
              memory.version > 1
                ? html`<span> changed <time datetime=${memory.updatedAt}>${dateWords(memory.updatedAt)}</time> </span>`
                : nothing
            }
            ${memory.expiresAt ? html`<span>until ${dateWords(memory.expiresAt)}</span>` : nothing}
          </div>
          ${
            this.gone
              ? nothing
              : html`<div class="row actions">
                  ${edited || frozen ? nothing : this.button('Edit', this.edit)}
                  ${this.button('History', this.toggleHistory, { expanded: this.revisions !== null })}
                  ${this.button('Forget', this.forget, { dangerous: true })}
                </div>`
          }
        </div>
        <div role="alert">${this.fault ? html`<p class="fault">${this.fault}</p>` : nothing}</div>
        ${this.revisions ? this.history(this.revisions) : nothing}
      </article>
    `;
  }

  /** Moves the focus to the first thing that can be done with it. */
  override focus(): void {
    void this.updateComplete.then(() => (this.form ?? this.firstButton)?.focus());
  }

  protected override updated(changed: PropertyValues<this>): void {
    const before = changed.get('memory');
    // An open history shows what has become history meanwhile.
    if (this.revisions && before && before.version !== this.memory.version) void this.attempt(() => this.readHistory());
  }

  /** A busy button keeps the focus, where one that is disabled would lose it. */
  private button(
    label: string,
    click: () => void,
    { expanded, dangerous = false }: { expanded?: boolean; dangerous?: boolean } = {},
  ): TemplateResult {
    return html`<button
      type="button"
      class=${dangerous ? 'quiet danger' : 'quiet'}
      aria-describedby="content"
      aria-disabled=${this.busy ? 'true' : 'false'}
      aria-expanded=${expanded === undefined ? nothing : expanded ? 'true' : 'false'}
      @click=${click}
    >
      ${label}
    </button>`;
  }

  private note(edited: ShownMemory): TemplateResult | null {
    if (this.gone) return html`It was forgotten elsewhere meanwhile. To save it is to remember it anew.`;
    const { content } = this.memory;
    if (content === edited.content) return null;
    return html`It was changed elsewhere meanwhile to <q><bdi>${content}</bdi></q
      >. To save yours is to replace that.`;
  }

  private history(revisions: readonly ShownRevision[]): TemplateResult {
    if (revisions.length === 0) return html`<p class="muted content">It was never changed.</p>`;
    return html`<ol aria-label="Earlier states, latest first">
      ${revisions.map(
        (revision) =>
          html`<li>
            <p class="content" dir="auto" lang="">${revision.content}</p>
            <div class="row below">
              <div class="row muted">
                <span class="kind">${KIND_WORDS[revision.kind]}</span>
                <span>
                  <time datetime=${revision.validFrom}>${dateWords(revision.validFrom)}</time> to
                  <time datetime=${revision.validTo}>${dateWords(revision.validTo)}</time>, then
                  ${END_WORDS[revision.endedBy]}
                </span>
              </div>
              ${
                this.frozen
                  ? nothing
                  : html`<div class="row actions">
                      ${this.button('Restore this', () => void this.restore(revision))}
                    </div>`
              }
            </div>
          </li>`,
      )}
    </ol>`;
  }

  private readonly edit = (): void => {
    this.edited = this.memory;
    this.focus();
  };

  private readonly stopEditing = (): void => {
    this.edited = null;
    this.focus();
    this.dispatchEvent(new Event('engram-edit-ended', { bubbles: true, composed: true }));
  };

  private readonly save = async (content: string, kind: Kind): Promise<void> => {
    const { memory, client } = this;
    if (this.gone) {
      const id = await client.add(content, kind);
      this.dispatchEvent(new MemoryChangedEvent('Remembered.', id, content));
    } else if (content !== memory.content || kind !== memory.kind) {
      await client.update(memory.id, content, kind);
      this.dispatchEvent(new MemoryChangedEvent('Changed.', memory.id, content));
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
      const { id, version, content } = this.memory;
      await client.forget(id);
      this.edited = null;
      this.dispatchEvent(new MemoryChangedEvent('Forgotten.', id, content, () => client.restore(id, version)));
    });

  private restore(revision: ShownRevision): Promise<void> {
    return this.attempt(async () => {
      await this.client.restore(this.memory.id, revision.version);
      this.dispatchEvent(new MemoryChangedEvent('Restored.', this.memory.id, revision.content));
    });
  }

  /** Runs one action at a time; what goes wrong is shown with the memory that it is about. */
  private async attempt(work: () => Promise<void>): Promise<void> {
    if (this.busy) return;
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
