/** Of these a person has one: a new one takes the place of the last, and the word "new" adds nothing. */
const ONE =
  '(?:(?:line )?manager|boss|supervisor|team lead|landlord|landlady|doctor|gp|dentist|therapist|girlfriend|boyfriend|partner|husband|wife|phone(?: number)?|number|mobile number|address|e-?mail(?: address)?|car|laptop|job(?: title)?|employer|editor|budget|rent|salary|nickname|username)';
/** With nothing behind it: the rent of a town or the salary of others is not the user's. */
const SUM =
  '[$\u20AC\u00A3]? ?\\d[\\d.,]*k?(?: ?(?:euros?|dollars?|pounds?|francs?|[a-z]{3}))?(?: (?:a|per) (?:week|month|year))?(?: now)?[.!]*$';
/** What goes up and down. */
const AMOUNT = '(?:(?:monthly )?rent|salary|wage|budget|monthly budget|notice period)';
const PERSON = '(?:(?:line )?manager|boss|supervisor|landlord|landlady|doctor|gp|dentist|therapist)';

/** How one gets to work, said of all days. */
const SINCE = '((?:these days|nowadays|now|lately),? )?I (?:now )?';
const TAIL = '(?=(?: now| instead| these days| instead now)?[.!]*$)';
const TITLE = '(?:(?:Dr|Mr|Mrs|Ms|Prof)\\.? )?';
/** New values in roundabout words, and the plain ones in which the rules know them. */
const WORDINGS: readonly (readonly [RegExp, string])[] = [
  [/^my new job is as (an? [^,;.!]+)(?=[.!]*$)/i, 'I work as $1 now'],
  // "My new manager's sister" is about her.
  [new RegExp(`^my new (?=${ONE} (?:is|are)\\b)`, 'i'), 'my '],
  [new RegExp(`^I have (?:got )?a new (?=${PERSON},? (?:called |named )?\\p{Lu})`, 'u'), 'I have a '],
  [
    new RegExp(
      `^(\\p{Lu}[\\p{L}'-]+(?: \\p{Lu}[\\p{L}'-]+)?) is (?:now )?my (?:new )?(${PERSON})(?: now)?(?=[.!]*$)`,
      'u',
    ),
    'my $2 is called $1',
  ],
  [
    new RegExp(
      `^(?:${TITLE}\\p{Lu}[\\p{L}'-]+|my (?:old )?${PERSON}) (?:has |have )?(?:left|quit|retired|moved on|got fired|was fired|got promoted|was promoted|is gone|is leaving)(?:,? (?:and |so )?(?:now )?|; )(${TITLE}\\p{Lu}[\\p{L}'-]+) is (?:now )?my (?:new )?(${PERSON})(?: now)?(?=[.!]*$)`,
      'u',
    ),
    'my $2 is called $1',
  ],
  [
    new RegExp(
      `^(\\p{Lu}[\\p{L}'-]+) (?:has )?(?:took over|taken over|replaced|succeeded) (?:from )?\\p{Lu}[\\p{L}'-]+ as my (?:new )?(${PERSON})(?=[.!]*$)`,
      'u',
    ),
    'my $2 is called $1',
  ],
  [
    /^I (?:have )?(?:just |recently |finally )*(?:become|became|turned|gone|went) (?:back to being )?(?=(?:vegan|vegetarian|pescatarian|flexitarian|teetotal|an? (?:vegan|vegetarian|pescatarian|morning person|night owl|early bird))\b)([a-z -]+?)(?: (?:last|this|in|a few|two|three)\b.*)?(?=[.!]*$)/i,
    'I am $1',
  ],
  [
    /^I (?:am|have been) (?:now )?(?:seeing|dating) (?:someone|somebody)(?: new)?(?: now)?(?=[.!]*$)/i,
    'I am in a relationship',
  ],
  [/^I can (eat|drink|have) (.+) again(?=[.!]*$)/i, 'I $1 $2 again'],
  [
    /^I (?:have )?(?:just |recently |finally )*(?:found|got|landed|started) a (?:new )?job (?:at|in) (an? [a-z ]{3,24}?)(?: (?:last|this|yesterday|today|now)\b.*)?(?=[.!]*$)/i,
    'I work at $1 now',
  ],
  [new RegExp(`^${SINCE}take the (bus|train|tram|metro|subway|tube|ferry) to work${TAIL}`, 'i'), '$1I commute by $2'],
  [new RegExp(`^${SINCE}(?:cycle|bike|ride my bike) to work${TAIL}`, 'i'), '$1I commute by bike'],
  [new RegExp(`^${SINCE}drive to work${TAIL}`, 'i'), '$1I commute by car'],
  [new RegExp(`^${SINCE}walk to work${TAIL}`, 'i'), '$1I commute on foot'],
  [
    /^I (?:have )?(?:just |recently |finally )*(?:broke up|broken up|split up|separated) (?:with|from) my (?:husband|wife|spouse)(?: (?:last|this|in|a few|two|three)\b.*)?(?=[.!]*$)/i,
    'I got separated',
  ],
  [/^my number is (?=\+?\(?\d[\d ()/.-]{5,}$)/i, 'my phone number is '],
  [
    new RegExp(
      `^(?:my|the) (${AMOUNT}) (?:has |is |was |got )?(?:now |just )*(?:gone|went|going|raised|increased|cut|reduced|lowered|dropped|risen|rose|fell|bumped)(?: up| down| back)* to (?=${SUM})`,
      'i',
    ),
    'my $1 is ',
  ],
  [
    new RegExp(
      `^(?:my (?:boss|landlord|landlady|employer|company)|they|I) (?:have |has )?(?:just )?(?:raised|increased|cut|reduced|lowered|dropped|bumped)(?: up)? (?:my|the) (${AMOUNT}) to (?=${SUM})`,
      'i',
    ),
    'my $1 is ',
  ],
  [/^I have a new (favou?rite [\p{L} ]{2,30}?)(?:: |, | - )(?=\p{Lu})/u, 'my $1 is '],
  [/^I (?:have )?(?:raised|increased|lowered|cut|reduced) my savings to /i, 'I save '],
  [/^I pay ([$\u20AC\u00A3]? ?\d[\d.,]*(?: [a-z]+)?) (?:of|in|for) rent(?=[.!]*$)/i, 'my rent is $1'],
  [/^my job is (?:now )?(?:at|with) (?=\p{Lu})/u, 'I started at '],
  [
    /^I (?:have )?(?:just |recently |finally )*moved (?:house|home|houses|flats?|apartments?|places),? (?:and |so )?(?:I (?:am|live) )?(?:now )?in (\p{Lu}[\p{L}' -]*?)(?: now)?(?=[.!]*$)/u,
    'my home is in $1',
  ],
  [/^I am (?:now )?back in (\p{Lu}[\p{L}' -]*?) for good(?: now)?(?=[.!]*$)/u, 'my home is in $1'],
];

/** The sentence with a new value in plain words: "my new number is", "we moved house, we're in Leeds now". */
export function withPlainValues(sentence: string): string {
  return WORDINGS.reduce((words, [pattern, plain]) => words.replace(pattern, plain), sentence);
}
