import { namesTime } from '../calendar.js';
import { inThirdPerson } from '../third-person.js';
import { IMPORTANCE, LATELY, durable, isLongAgo } from './rule.js';
import type { Rule } from './rule.js';

const HAPPENED =
  '(?:met|went|visited|flew|travelled|traveled|bought|sold|adopted|got (?:married|engaged|divorced|promoted|fired|laid off|a (?:new )?(?:dog|cat|puppy|kitten|job|car|house|bike|tattoo|promotion))|started (?:a|my|at|working|learning) (?:new )?(?:job|business|company|degree|course|position|role)?|graduated|finished (?:my )?(?:phd|degree|thesis|marathon|studies)|ran (?:a|my|the) (?:first )?(?:half-)?marathon|attended|celebrated|broke (?:my|an?) (?:arm|leg|ankle|wrist|foot|hand|finger|toe|collarbone)|lost (?:my job)|won|passed (?:my|the)|quit my job|joined|launched|published|married|became|had (?:a baby|surgery|an operation|a baby (?:girl|boy)|my wisdom teeth|lunch with|dinner with|a (?:[\\p{L}\\d_]+ )?(?:accident|operation|party|surgery|interview|check-?up))|gave birth|moved in|retired|watched|saw|climbed|hiked|saw|performed|camped|stayed|signed)';
const PAST = new RegExp(`^I ${LATELY}(${HAPPENED}\\b.*)$`, 'iu');
const AHEAD =
  /^I (?:am|will be) ((?:flying|travelling|traveling|going|visiting|driving|heading|starting|meeting|getting (?:married|divorced|engaged|a (?:[\p{L}\d_]+ )?(?:dog|cat|puppy|kitten)|surgery)|having (?:surgery|an operation|a baby|a (?:birthday )?party|my wisdom teeth)|running (?:a|my|the) (?:[\p{L}\d_]+ )?(?:half-)?marathon|graduating|retiring|moving|hosting|attending|leaving for|taking (?:my|the|a) .*(?:exam|test|holiday|vacation|trip))\b.*)$/iu;
const APPOINTMENT =
  /^I have (?:got )?((?:an?|my) (?:[\p{L}\d_'-]+ ){0,3}(?:appointment|interview|exam|surgery|operation|flight|wedding|trip|holiday|vacation|concert|marathon|birthday|check-?up|viva|defen[cs]e|presentation|recital|anniversary|conference)\b.*)$/iu;
/** "Going to" names a place, not the next task. */
const JOURNEY =
  /^going (?:to (?:\p{Lu}|(?:a|an|the|my) (?:[\p{L}\d_-]+ )?(?:concert|wedding|festival|conference|dentist|doctor|hospital|theat(?:re|er)|cinema|beach|mountains|party|museum|funeral|game|match)\b)|on (?:holiday|vacation|an? )|home\b|(?:hiking|camping|skiing|sailing|surfing|fishing|diving|climbing)\b)/u;
/** What is so since: no mere event, unless it was long ago and other things may have come after it. */
const NEW_STATE = /^(?:got (?:re)?(?:married|engaged|divorced|separated)|sold (?:their|the)|graduated|retired)\b/i;
const WORKADAY =
  /\b(?:error|bug|exception|log|logs|build|deploy|deployment|script|function|code|commit|branch|pull request|pr|ticket|message|email|query|test|tests|server|stack|instance|package|call|meeting|standup|stand-up|domain|documentation|docs|tutorial|page|file|library|version|update|this|that|it|your|you|something|nothing|everything|online|through|ahead|back to|over the|down the|to bed|to sleep|wrong|crazy|with the flow|the article|the post|the link)\b/i;

/** Something that happened or will on a day that can be named. */
export const events: Rule = ({ text, calendar }) => {
  const time =
    /^((?:yesterday|tomorrow|today|tonight|last [\p{L}\d_]+|next [\p{L}\d_]+|this [\p{L}\d_]+|on [\p{L}\d_]+|in [\p{L}\d_]+|(?:[\p{L}\d_]+ ){1,3}ago|the day (?:after|before) [\p{L}\d_]+)(?: (?:morning|afternoon|evening|night))?),? (I .+)$/iu.exec(
      text,
    );
  const sentence = time ? `${time[2]} ${time[1]?.toLowerCase()}` : text;
  if (!namesTime(sentence)) return null;
  const happened = PAST.exec(sentence);
  const match = happened ?? AHEAD.exec(sentence);
  const appointment = APPOINTMENT.exec(sentence);
  const words = match?.[1] ?? appointment?.[1];
  if (words === undefined) return null;
  const what = durable(calendar.absolute(words, { past: happened !== null }), 18);
  if (what === null || WORKADAY.test(what)) return null;
  if (/^going\b/.test(what) && !JOURNEY.test(what)) return null;
  const said = inThirdPerson(what);
  const content =
    appointment && !match
      ? `Has ${said.replace(/^their /, 'a ')}`
      : AHEAD.test(sentence)
        ? `Is ${said}`
        : said.charAt(0).toUpperCase() + said.slice(1);
  return NEW_STATE.test(content) && !isLongAgo(text)
    ? { content, kind: 'fact', importance: IMPORTANCE.fact }
    : { content, kind: 'episodic', importance: IMPORTANCE.event };
};
