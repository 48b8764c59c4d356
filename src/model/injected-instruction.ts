import type { MemoryKind } from './kind.js';
import { plainText } from './policy-rules.js';

/**
 * Sentences that a page, a mail or a tool's output plants through a conversation: kept as a memory they would steer every
 * later reply. Only what is observed is held against them; what somebody stores by hand is their own doing.
 */

/** A scheme, `www.`, or a host with a path; also with the dots that are written to slip past. A bare host may be a product (Fly.io). */
const LINK =
  /\bh(?:tt|xx)ps?:\/\/\S|\bwww\.\w|(?<![@\w.])(?:[a-z0-9-]{1,63}(?:\.|\[\.\]|\(\.\))){1,4}[a-z]{2,10}\/\S|\b[a-z0-9-]{1,63}(?:\[\.\]|\(\.\))[a-z]{2,10}\b|\]\(\s*[a-z]+:/i;
const HOST =
  '(?:[a-z0-9-]{1,63}\\.){1,4}(?:com|net|org|io|dev|app|ai|co|me|ru|cn|xyz|top|info|link|site|online|shop|biz|gg|ly|de|uk|fr|eu)';

/** What an assistant writes, in some languages. */
const REPLY =
  '(?:\\b(?:answers?|repl(?:y|ies)|responses?|messages?|e-?mails?|conversations?|antwort(?:en)?|nachricht(?:en)?|r\u00E9ponses?|respuestas?|rispost[ae]|respostas?|antwoord(?:en)?)\\b|\u043E\u0442\u0432\u0435\u0442|\u56DE\u7B54|\u56DE\u590D|\u8FD4\u4FE1|\u7B54\u3048|\uB2F5\uBCC0)';
const EACH = '\\b(?:every|each|all|always|from now on|in (?:the )?future|any|at the (?:very )?end)\\b';
const APPEND =
  '\\b(?:add|append|attach|insert|includ|embed|end|finish|clos|sign|conclud|start|begin|put|plac|post|print|show|mention|promot|advertis|refer|redirect|link|point)(?:e?s|e|ed|ing|ting|ding|n)?\\b';
const CERTAIN_LINK =
  '\\b(?:(?:this|that|the following|the same|a certain|my|our|their) (?:link|url|web ?site|image|banner|slogan|signature|ad|advert|advertisement)|(?:link|url|banner) (?:below|above)|link to (?:the|our|my|this|their) (?:site|web ?site|shop|store|page|product)|(?:referral|affiliate|promo|discount) (?:link|code)s?|tracking (?:pixel|link|image)s?)\\b';

const TOOL =
  '\\b(?:tools?|functions?|plugins?|commands?|shell|scripts?|webhooks?|apis?|endpoints?|\\w+_\\w+|\\w+\\(\\))';
const CALL = '\\b(?:call|invoke|trigger|execute|run|use)(?:s|d|ed|ing)?\\b';
const BY_ITSELF =
  '\\b(?:every|each|always|whenever|before (?:answering|replying)|after (?:answering|replying)|first|without (?:asking|confirm\\w*|permission|telling|approval)|silently|secretly|automatically)\\b';

/** Orders to carry something into replies. */
const CARRYING: readonly RegExp[] = [
  new RegExp(`${APPEND}.{0,60}${CERTAIN_LINK}.{0,60}(?:${EACH}|${REPLY})`, 'iu'),
  new RegExp(`(?:${EACH}|${REPLY}).{0,60}${APPEND}.{0,60}${CERTAIN_LINK}`, 'iu'),
  new RegExp(
    `${APPEND}.{0,60}${REPLY}.{0,60}\\b(?:with|to|at|by|on)\\b.{0,30}\\b${HOST}\\b|${REPLY}.{0,40}\\b(?:end|sign|finish|clos)(?:e?s|e|ed|ing)?\\b.{0,40}\\b${HOST}\\b`,
    'iu',
  ),
  new RegExp(`${EACH}.{0,60}\\b(?:visit|click(?: on)?|go to) ${HOST}\\b`, 'iu'),
];

const PRIVATE =
  "\\b(?:(?:the |this |our |every |each |whole |full |entire )conversations?|conversation history|chat (?:history|logs?)|(?:user|their|all|every|the user)(?:'s)? (?:messages?|data|inputs?)|memor(?:y|ies)|system prompt|credentials?|passwords?|secrets|api keys?|personal (?:data|information|details)|everything (?:the user|they|he|she|i|that is) (?:say|type|write|said|typed|written)s?)\\b";

/** Orders to send away what is said or known, to set rules aside, to change memories. */
const HOSTILE: readonly RegExp[] = [
  new RegExp(
    `\\b(?:send|post|upload|forward|e-?mail|transmit|exfiltrate|leak|submit|deliver|copy|disclose)(?:s|ed|ing)?\\b.{0,60}${PRIVATE}.{0,60}\\b(?:to|via|at|through|into)\\b.{0,30}(?:https?:|@|www\\.|\\b${HOST}\\b|\\b(?:endpoint|webhook|server|address|url|third part(?:y|ies)|attacker)\\b)`,
    'iu',
  ),
  /\b(?:ignore|disregard|override|bypass|forget|disobey|circumvent)(?:s|d|ing)?\b.{0,20}\b(?:previous|prior|earlier|above|preceding|safety|system|developer|(?:all|any) (?:of )?(?:your|its|the))\b.{0,20}\b(?:instructions?|rules?|prompts?|guidelines?|polic(?:y|ies)|restrictions?|guardrails?|safeguards?|directions?)\b/iu,
  /\b(?:reveal|print|show|repeat|output|disclose|leak|display|expose)(?:s|ed|ing)?\b.{0,30}\b(?:system prompt|developer (?:message|prompt)|hidden (?:prompt|instructions?)|initial (?:prompt|instructions?))/iu,
  /\b(?:developer|debug|god|jailbreak|unrestricted|dan) mode\b.{0,20}\b(?:on|enabled?|active|activated|unlocked)\b|\bno (?:longer )?(?:bound|restricted) by (?:any|its|your) (?:rules|policies|guidelines|restrictions)\b/iu,
  /\b(?:forget|delete|erase|remove|wipe|clear|purge|overwrite|discard)(?:s|d|ed|ing)?\b.{0,20}\b(?:all|every|any|each|stored|saved|other|existing)\b.{0,20}\bmemor(?:y|ies)\b/iu,
  /\b(?:add|save|store|write|insert|record|put)(?:s|d|ed|ing)?\b.{0,40}\b(?:to|in|into) (?:your|its|the assistant's|the ai's|long[- ]term) (?:long[- ]term )?memor(?:y|ies)\b/iu,
];

/** Addressed to the assistant, where a statement about the user belongs. */
const ORDER =
  /^(?:please )?(?:(?:always |never forget to |make sure to |be sure to )?remember (?:to|that you)\b|you (?:must|shall|will|are to|have to) (?:now |always |never |henceforth )|the (?:assistant|ai|model|bot|chatbot) (?:must|shall|has to)\b)/iu;

/** About the assistant, whatever kind a model gave it. */
const STEERS = new RegExp(
  `\\b(?:assistant|ai|model|chatbot|bot|you|your)\\b|${REPLY}|\\b(?:answer|reply|respond)ing\\b`,
  'iu',
);
const OF_REPLIES = new RegExp(REPLY, 'iu');
const CALLS_TOOLS = new RegExp(
  `${CALL}.{0,40}${TOOL}.{0,60}${BY_ITSELF}|${BY_ITSELF}.{0,60}${CALL}.{0,40}${TOOL}`,
  'iu',
);

/**
 * Whether an observed sentence would make the assistant carry a certain link or advertisement into replies, send data
 * away, call tools by itself, set its rules aside or change memories. "Prefers answers with links" is an honest wish and
 * stays. An instruction that holds a link counts in any language, the other rules know English.
 */
export function isInjectedInstruction(content: string, kind: MemoryKind): boolean {
  const text = plainText(content).replace(/\s+/gu, ' ').trim();
  const steers = kind === 'instruction' || STEERS.test(text);
  if (LINK.test(text) && (kind === 'instruction' || OF_REPLIES.test(text))) return true;
  if (steers && CALLS_TOOLS.test(text)) return true;
  return ORDER.test(text) || [...CARRYING, ...HOSTILE].some((rule) => rule.test(text));
}
