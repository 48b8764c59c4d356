import { MONTHS } from '../../model/months.js';
/** Words that open a sentence without adding to it, and phrases that ask to remember what follows. */
const OPENING = new RegExp(
  '^(?:(?:' +
    [
      'hi|hello|hey|hiya|good (?:morning|afternoon|evening)|greetings',
      'hi there|hey there|hello there|hi all|hi everyone',
      'well|so|oh|ok|okay|yes|yeah|yep|no|nope|sure|right|actually|anyway|also|and|but|plus|btw|by the way|fyi|for your information|honestly|basically|look|thanks|thank you|sorry|hmm|um|great|cool|nice|perfect|awesome|unfortunately|luckily|sadly|fortunately|finally|first|firstly|second|secondly|besides|additionally|in addition|in fact|as it happens|incidentally|update|news',
      'for context|for the record|for reference|just so you know|so you know|just to let you know|to be clear|in general|generally|generally speaking|at home|at work|personally|as always',
      'you (?:already )?know(?: that)?(?=,? (?:I|my)\\b)',
      '(?:as )?I (?:have )?(?:already )?(?:told you|said|mentioned)(?: before| already| earlier| last time)?(?: that)?',
      '(?:please )?(?:remember|note|keep in mind|bear in mind|be aware|do not forget|take note)(?: that)?(?=,? (?:I|my)\\b)',
      'I (?:should|must|have to|want to|would like to|will|can)(?: also)? (?:mention|add|say|tell you|point out|let you know|confess|admit)(?: that)?',
      'you should know(?: that)?|you might want to know(?: that)?|it may help to know(?: that)?',
      'the thing is(?: that)?|the truth is(?: that)?|turns out(?: that)?|it turns out(?: that)?|fun fact',
      `since (?:yesterday|last (?:week|month|year)|(?:${MONTHS})(?: \\d{4})?|\\d{4})|as of (?:today|now|this week|this month)|from today|these days|nowadays|now|currently|right now|at the moment|recently|lately`,
    ].join('|') +
    ')(?:[,:!.\\u2014-]+\\s*|\\s+))',
  'i',
);

/** Without what opens the sentence. */
export function withoutOpening(text: string): string {
  let rest = text;
  for (let next = rest.replace(OPENING, ''); next !== rest; next = rest.replace(OPENING, '')) rest = next;
  return rest;
}
