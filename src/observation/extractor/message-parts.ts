import { words } from '../../model/search-text.js';

/** A stretch of a message: said by its author, or quoted from somewhere else. */
export interface MessagePart {
  readonly text: string;
  readonly quoted: boolean;
}

/** A fence, a block of tags that name pasted material, or a line that a mail client or Markdown marks as quoted. */
const MARKED = new RegExp(
  [
    '(```|~~~)[\\s\\S]*?(?:\\1|(?![\\s\\S]))',
    '<(document|documents|context|email|mail|message|quote|blockquote|q|pre|code|transcript|file|data|page|article|results?|output|tool_result|function_results|search_results)(?:\\s[^<>]*)?>[\\s\\S]*?(?:</\\2\\s*>|(?![\\s\\S]))',
    '^[ \\t]*(?:>|&gt;).*$',
  ].join('|'),
  'gim',
);

/** From here on a message is one that was forwarded or answered: its heading in the mail clients of some languages, or two lines of head. */
const FORWARDED =
  /^[ \t]*-{2,}[ \t]*(?:original message|forwarded message|urspr\u00FCngliche nachricht|weitergeleitete nachricht|message (?:d'origine|transf\u00E9r\u00E9)|mensaje (?:original|reenviado)|messaggio (?:originale|inoltrato)).*$|^[ \t]*begin forwarded message:|^on\b.{4,120}\bwrote:[ \t]*$|^am\b.{4,120}\bschrieb\b.*:[ \t]*$|^le\b.{4,120}\ba \u00E9crit[ \t]*:[ \t]*$|^(?:from|von|de|da)[ \t]*:.+\n(?:.+\n)?(?:to|an|\u00E0|para|a|sent|gesendet|envoy\u00E9|enviado|inviato|date|datum|fecha|data|subject|betreff|objet|asunto|oggetto)[ \t]*:.+$/im;

const QUOTATION =
  /"[^"\n]{0,2000}"|\u201C[^\u201C\u201D\n]{0,2000}\u201D|\u201E[^\u201E\u201C\u201D\n]{0,2000}[\u201C\u201D]|\u00AB[^\u00AB\u00BB\n]{0,2000}\u00BB|\u300C[^\u300C\u300D\n]{0,2000}\u300D/gu;
/** More words between quotation marks are somebody's saying; up to here it may be a title or a name. */
const TITLE_WORDS_MAX = 6;
/** Somebody speaks: with one of these, three words are a saying too. */
const SPEAKER = /^(?:i|i'm|i\u2019m|me|my|we|our|you|your|ich|mein|meine|wir|je|j'ai|mon|nous|yo|mi|io|mio|eu|meu)$/;

function isSaying(quotation: string): boolean {
  const said = words(quotation.slice(1, -1));
  return said.length > TITLE_WORDS_MAX || (said.length > 2 && said.some((word) => SPEAKER.test(word)));
}

/**
 * A message cut into what its author says and what is quoted: code fences, quoted lines, tagged material, forwarded mail,
 * and sayings between quotation marks. A title or a name in quotation marks is the author's, and so is a message that is
 * nothing but a quotation. Material that is pasted without any mark is not told apart.
 */
export function messageParts(message: string): MessagePart[] {
  const text = message.replace(/\r\n?/g, '\n');
  const forwarded = FORWARDED.exec(text)?.index ?? text.length;
  const spans: { readonly from: number; readonly to: number }[] = [];
  const head = text.slice(0, forwarded);
  for (const { index, 0: marked } of head.matchAll(MARKED)) spans.push({ from: index, to: index + marked.length });
  for (const { index, 0: quotation } of head.matchAll(QUOTATION)) {
    const inside = spans.some(({ from, to }) => index < to && index + quotation.length > from);
    if (!inside && quotation !== head.trim() && isSaying(quotation))
      spans.push({ from: index, to: index + quotation.length });
  }
  if (forwarded < text.length) spans.push({ from: forwarded, to: text.length });
  spans.sort((a, b) => a.from - b.from);

  const parts: MessagePart[] = [];
  const take = (from: number, to: number, quoted: boolean): void => {
    const part = text.slice(from, to).trim();
    if (part !== '') parts.push({ text: part, quoted });
  };
  let position = 0;
  for (const { from, to } of spans) {
    take(position, from, false);
    take(from, to, true);
    position = to;
  }
  take(position, text.length, false);
  return parts;
}
