/** Sources of patterns: the people and things of whom people say "my". */
export const KIN =
  '(?:daughter|son|wife|husband|spouse|partner|fianc[eé]e?|girlfriend|boyfriend|mother|father|mum|mom|dad|stepmother|stepfather|stepson|stepdaughter|brother|sister|half-?brother|half-?sister|twin(?: brother| sister)?|grandmother|grandfather|grandma|grandpa|grandson|granddaughter|aunt|uncle|niece|nephew|cousin|boss|manager|roommate|flatmate|baby|kid|child)';
/** Who looks after one, and of whom one has one. */
export const SERVING = '(?:line manager|supervisor|doctor|gp|dentist|therapist|landlord|landlady)';
export const WORK =
  '(?:app|application|company|startup|start-up|business|shop|store|website|site|blog|podcast|newsletter|channel|project|side project|product|band|boat|car|house|bakery|restaurant|cafe|café|studio|agency|team|game|book|library|saas|bot|farm|school|brand|club|organisation|organization|non-?profit|server|repo|repository|open[- ]source project)';
export const ADJECTIVE =
  '(?:(?:older|younger|elder|eldest|oldest|youngest|little|big|new|first|second|third|other|middle|late|only|pet|main|current|own|rescue|twin|[\\p{L}\\d_-]+ing|mobile|web|saas|online|[\\p{L}\\d_-]+-year-old) )?';

/** Without what the one or the thing is or does beside: "and he hates the vacuum". */
export function withoutWhatTheyDo(text: string): string {
  return text
    .replace(/,? and (?:he|she|it|they)(?: is|'s| are)\b.*$/, '')
    .replace(
      /^(my .+?\b(?:called|named) .+?) and (?:(?:is|was|has|loves|likes|hates|barks|sleeps|eats|lives|works|plays|needs|wants|comes|goes|can|does|knows|always|never)\b.*)$/,
      '$1',
    );
}

export function article(thing: string): string {
  return /^(?:[aeiou])/i.test(thing) && !/^(?:one|uni|use)/i.test(thing) ? 'an' : 'a';
}
