const FEELING =
  '(?:(?:really |actually |absolutely |just |totally |even )*(?:love|like|enjoy|adore|hate|dislike|detest|loathe|cannot (?:stand|bear|tolerate)|do not (?:really )?(?:like|love|enjoy|mind)|am (?:really )?into|eat|drink|use))';
/** What a feeling is about, told in the half before: "I used to hate olives but now I love them". */
const TOLD_BEFORE = new RegExp(
  `^(?:(?:I (?:used to |have always |always )?(?:love|like|enjoy|adore|hate|dislike|eat|drink|use)d?|I (?:have )?changed my mind (?:about|on)|(?:scratch|forget|ignore|never mind) what I said about|I was wrong about) )(?:the )?([\\p{L}][\\p{L}\\d .'-]{1,40}?)(?:,? but|[,;:]| -| \\u2014|,? and) (?:but |and |now |these days |today |actually |then )*I (?:now |actually |have come to |have grown to |have learned to )?(${FEELING}) (?:it|them)\\b(?: now| these days| again)?`,
  'iu',
);
/** "My favourite colour isn't green, it's blue", "My dog is not called Rex, he's called Max". */
const PUT_RIGHT =
  /^(my [^,;]{2,40}?) is (?:not|no longer) (called |named )?([^,;]{1,40}?)(?:[,;]| -| \u2014|,? but) ?(?:it|he|she)(?: is|'s) (?:called |named )?(.+)$/iu;

/** "My favourite band used to be Muse but now it's Radiohead". */
const WAS_BEFORE =
  /^(my [^,;]{2,40}?) (?:used to be|was) [^,;]{1,40}?(?:[,;]| -| \u2014)? ?(?:but |and )?(?:now it is|it is now|but it is)( .+)$/iu;
/** "I left Shell and joined BP": of the one alone nobody could tell that it is work, too. */
const WENT_OVER =
  /^(I (?:have )?(?:just |recently |finally )*(?:left|quit|resigned from) (?!my |the )[^,;]{2,30}?)(?:,? and|,|,? to)(?: have)?(?: (?:then|now|just|recently))* (?:join|joined|I joined|went to work (?:at|for)|started (?:working )?(?:at|for|with)) (?=[\p{Lu}])/iu;
const CAME_OVER =
  /^I (?:have )?(?:just |recently |finally )*joined ([\p{Lu}][^,;]{1,30}?)(?:,? and| after I) ((?:left|quit|resigned from) [\p{Lu}].*)$/u;

/** "My boyfriend and I broke up", "Nadia and I split up": said of both, and told of the user. */
const TOGETHER =
  /^(my (?:girlfriend|boyfriend|partner|fianc[eé]e?|husband|wife)|\p{Lu}\p{Ll}+) and I (?:have )?(broke up|broken up|split up|separated)\b/u;
/** "I sold the Skoda and got a Tesla": the one in the other's place. */
const SOLD_AND_GOT =
  /^(I (?:have )?(?:just |recently |finally )*)sold ((?:my|the) \p{Lu}[\p{L}\d -]*?),? and (?:I )?(?:got|bought) (?:an?|my|the) (?:new )?(?=\p{Lu})/u;

/** The sentence with what its second half corrects or points back to put in place. */
export function resolved(sentence: string): string {
  return sentence
    .replace(TOLD_BEFORE, 'I $2 $1')
    .replace(WAS_BEFORE, '$1 is$2')
    .replace(WENT_OVER, '$1 and I started at ')
    .replace(CAME_OVER, 'I $2 and I started at $1')
    .replace(TOGETHER, 'I $2 with $1')
    .replace(SOLD_AND_GOT, (_, lately: string, sold: string) => `${lately}traded ${sold} for a `)
    .replace(PUT_RIGHT, (_, thing: string, called: string | undefined, wrong: string, right: string) =>
      called === undefined
        ? `${thing} is ${right}`
        : `${thing} is ${called}${right.replace(/[.!]+$/, '')}, not ${wrong}`,
    );
}
