import { css } from 'lit';

/** Colours and controls that every part shares. A host sets the custom properties from outside to match its own look. */
export const theme = css`
  :host {
    --ink: var(--engram-ink, #1d1f24);
    --muted: var(--engram-muted, #5a6070);
    --paper: var(--engram-paper, #ffffff);
    --raised: var(--engram-raised, #f4f5f8);
    --line: var(--engram-line, #d3d7e0);
    --accent: var(--engram-accent, #2c4fd8);
    --on-accent: var(--engram-on-accent, #ffffff);
    --danger: var(--engram-danger, #b3261e);
    color: var(--ink);
    font: var(--engram-font, 1rem/1.5 system-ui, sans-serif);
  }
  @media (prefers-color-scheme: dark) {
    :host {
      --ink: var(--engram-ink, #e8eaf0);
      --muted: var(--engram-muted, #a4abbb);
      --paper: var(--engram-paper, #16181d);
      --raised: var(--engram-raised, #20232b);
      --line: var(--engram-line, #3a3f4c);
      --accent: var(--engram-accent, #9db2ff);
      --on-accent: var(--engram-on-accent, #10131a);
      --danger: var(--engram-danger, #ff9c94);
    }
  }
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  button,
  input,
  select,
  textarea {
    font: inherit;
    color: inherit;
  }
  button {
    background: var(--raised);
    border: 1px solid var(--line);
    border-radius: 0.5rem;
    cursor: pointer;
    min-height: 2.25rem;
    padding: 0.25rem 0.75rem;
  }
  button[type='submit'] {
    background: var(--accent);
    border-color: var(--accent);
    color: var(--on-accent);
  }
  button.danger {
    border-color: var(--danger);
    color: var(--danger);
  }
  button:disabled {
    cursor: default;
    opacity: 0.6;
  }
  input,
  select,
  textarea {
    background: var(--paper);
    border: 1px solid var(--muted);
    border-radius: 0.5rem;
    max-width: 100%;
    min-height: 2.25rem;
    padding: 0.25rem 0.5rem;
  }
  :focus-visible {
    outline: 3px solid var(--accent);
    outline-offset: 2px;
  }
  .row {
    align-items: center;
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
  }
  .muted {
    color: var(--muted);
    font-size: 0.875rem;
  }
  .fault {
    border: 1px solid var(--danger);
    border-radius: 0.5rem;
    color: var(--danger);
    margin: 0.5rem 0;
    padding: 0.5rem 0.75rem;
  }
  .content {
    margin: 0;
    overflow-wrap: anywhere;
    white-space: pre-wrap;
    unicode-bidi: plaintext;
  }
`;
