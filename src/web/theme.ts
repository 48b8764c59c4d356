import { css } from 'lit';

/**
 * Colours and controls that every part shares. They are light or dark as the `color-scheme` of the host's page is, and a
 * host sets the custom properties from outside to match its own look.
 */
export const theme = css`
  :host {
    --ink: var(--engram-ink, light-dark(#1d1f24, #e8eaf0));
    --muted: var(--engram-muted, light-dark(#5a6070, #a4abbb));
    --paper: var(--engram-paper, light-dark(#ffffff, #16181d));
    --raised: var(--engram-raised, light-dark(#f4f5f8, #20232b));
    --line: var(--engram-line, light-dark(#dfe2e9, #333843));
    --accent: var(--engram-accent, light-dark(#2c4fd8, #9db2ff));
    --on-accent: var(--engram-on-accent, light-dark(#ffffff, #10131a));
    --danger: var(--engram-danger, light-dark(#b3261e, #ff9c94));
    color: var(--ink);
    font: var(--engram-font, 1rem/1.5 system-ui, sans-serif);
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
    color: var(--danger);
  }
  button.quiet {
    background: none;
    border-color: transparent;
  }
  button:hover {
    border-color: currentcolor;
  }
  button:disabled,
  button[aria-disabled='true'] {
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
  .fault,
  .notice {
    background: var(--raised);
    border: 1px solid var(--line);
    border-radius: 0.5rem;
    margin: 0;
    overflow-wrap: anywhere;
    padding: 0.5rem 0.75rem;
  }
  .fault {
    border-color: var(--danger);
    color: var(--danger);
  }
  [hidden] {
    display: none;
  }
  .content {
    margin: 0;
    overflow-wrap: anywhere;
    white-space: pre-wrap;
    unicode-bidi: plaintext;
  }
`;
