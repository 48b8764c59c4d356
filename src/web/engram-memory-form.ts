import { LitElement, css, html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { KINDS } from './memory-client.js';
import type { Kind } from './memory-client.js';
import { theme } from './theme.js';
import { KIND_WORDS } from './words.js';

/** Writes one memory, a new one or a changed one. What was typed stays until it is kept. */
@customElement('engram-memory-form')
export class EngramMemoryForm extends LitElement {
  static override readonly styles = [
    theme,
    css`
      form {
        display: grid;
        gap: 0.5rem;
      }
      label {
        display: grid;
        gap: 0.25rem;
      }
      /* Empty, it takes no room. */
      .told {
        margin-block-end: -0.5rem;
      }
      .told p {
        margin-block-end: 0.5rem;
      }
      textarea {
        field-sizing: content;
        max-height: 20rem;
        min-height: 4rem;
        resize: vertical;
        width: 100%;
      }
    `,
  ];

  @property() label = 'Memory';
  @property() submitLabel = 'Save';
  @property() content = '';
  @property() kind: Kind = 'FACT';
  @property({ type: Boolean }) cancellable = false;
  /** What the writer should know before it is kept. */
  @property({ attribute: false }) note: TemplateResult | null = null;
  /** Keeps what was written; a throw is shown beside it. */
  @property({ attribute: false }) save: (content: string, kind: Kind) => Promise<void> = () => Promise.resolve();

  @state() private saving = false;
  @state() private fault = '';
  @query('textarea') private readonly text!: HTMLTextAreaElement;
  @query('select') private readonly kinds!: HTMLSelectElement;

  override focus(): void {
    void this.updateComplete.then(() => this.text.focus());
  }

  /** Forgets what was typed. */
  clear(): void {
    this.fault = '';
    if (this.hasUpdated) this.text.value = this.content;
  }

  override render(): TemplateResult {
    return html`
      <form @submit=${this.submit} @keydown=${this.escape}>
        <label>
          ${this.label}
          <textarea
            required
            dir="auto"
            .value=${this.content}
            ?readonly=${this.saving}
            aria-invalid=${this.fault ? 'true' : 'false'}
            aria-describedby="fault"
          ></textarea>
        </label>
        <div class="told">
          <div role="status">${this.note ? html`<p class="notice">${this.note}</p>` : nothing}</div>
          <div id="fault" role="alert">${this.fault ? html`<p class="fault">${this.fault}</p>` : nothing}</div>
        </div>
        <div class="row">
          <select aria-label="Kind" .value=${this.kind}>
            ${KINDS.map(
              (kind) => html`<option value=${kind} ?selected=${kind === this.kind}>${KIND_WORDS[kind]}</option>`,
            )}
          </select>
          <button type="submit" aria-disabled=${this.saving ? 'true' : 'false'}>${this.submitLabel}</button>
          ${this.cancellable ? html`<button type="button" @click=${this.cancel}>Cancel</button>` : nothing}
        </div>
      </form>
    `;
  }

  private readonly submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (this.saving) return;
    const content = this.text.value.trim();
    if (content === '') {
      this.fault = 'Write what shall be remembered.';
      this.text.focus();
      return;
    }
    this.saving = true;
    this.fault = '';
    try {
      await this.save(content, this.kinds.value as Kind);
      this.clear();
    } catch (error) {
      this.fault = error instanceof Error ? error.message : 'It was not kept. Try again.';
      this.text.focus();
    } finally {
      this.saving = false;
    }
  };

  private readonly cancel = (): void => {
    this.dispatchEvent(new Event('cancel'));
  };

  private readonly escape = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && this.cancellable && !event.isComposing) this.cancel();
  };
}
