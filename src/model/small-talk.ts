import { eachWord, plainWordsAhead, words } from './search-text.js';

/** Whole utterances that say nothing of lasting interest. One line per mood; a phrase is matched word by word. */
const PHRASES = [
  'hi, hello, hey, heya, hiya, howdy, yo, greetings, hi there, hello there, hey there, hello again, hi again, hey again',
  'hello world, welcome, welcome back, good morning, good afternoon, good evening, good night, good day, morning, evening, gm, gn, night',
  "how are you, how are you doing, how are you doing today, how are you today, how're you, how is it going, how's it going, how are things, how do you do",
  "what's up, whats up, wassup, sup, what is up, what's new, how have you been, how's everything, how's your day, how's your day going, how was your day",
  'nice to meet you, pleased to meet you, nice talking to you, good to see you, long time no see, are you there, you there, anyone there, anybody there',
  "i'm good, i'm fine, im good, im fine, i am fine, i'm ok, i'm okay, i'm doing well, doing well, not bad, and you, how about you, all good, it's all good",
  'thanks, thank you, thank u, thankyou, thx, ty, tysm, cheers, many thanks, thanks a lot, thanks a bunch, thanks a million, thanks so much, thank you so much',
  'thank you very much, thanks very much, much appreciated, appreciated, appreciate it, i appreciate it, thanks for your help, thank you for your help',
  'thanks for the help, thanks again, thank you again, thanks for that, thanks for everything, thanks for your time',
  "you're welcome, youre welcome, you are welcome, no problem, no worries, np, my pleasure, don't mention it, never mind, nevermind, nvm, it's fine, it's ok",
  'ok, okay, k, kk, okey, okie, okay then, ok then, alright, all right, alright then, fine, got it, gotcha, i see, understood, i understand, noted, roger',
  'makes sense, that makes sense, fair enough, fair, sounds good, sounds great, that sounds good, looks good, looks good to me, lgtm, will do, deal, agreed',
  'great, cool, nice, nice one, awesome, amazing, perfect, excellent, wonderful, fantastic, brilliant, lovely, sweet, super, neat, wow, whoa, yay, woohoo, hooray',
  "very nice, very good, very cool, so cool, that's great, that's cool, that's nice, that's awesome, that's perfect, that's amazing, that's good, that's fine",
  "that's helpful, that was helpful, very helpful, that helps, that works, it works, it worked, works for me, good to know, great job, good job, well done, nice work",
  "good bot, you're awesome, you're great, you're the best, you rock, i love you, love it, i love it, i like it, love you, impressive, interesting, that's interesting",
  'lol, lmao, rofl, haha, heh, xd, ha, ha ha, ha ha ha, omg, oh my god, oh my, wtf, funny, so funny, that was funny, too funny',
  'oh, ooh, ah, aha, aah, uh, um, umm, hm, hmm, mhm, m, mm, huh, eh, meh, oops, whoops, ouch, oh no, oh well, oh ok, oh okay, oh i see, oh nice, well, so, anyway, really, for real, seriously',
  'sorry, my bad, my mistake, my fault, excuse me, pardon, i am sorry, sorry about that, no offense, just kidding, jk, kidding, just testing, test, testing, ping, this is a test, just a test',
  'bye, goodbye, bye bye, good bye, byebye, see you, see ya, see you later, see ya later, see you soon, see you tomorrow, see you around, later, talk later, talk soon, talk to you later, ttyl, cya, brb, gtg, i have to go, gotta go, take care, farewell, catch you later, until next time',
  'have a nice day, have a good day, have a great day, have a good one, have a good night, have a nice evening, have a good evening, have a good weekend, have a nice weekend, have a great weekend, sleep well, sweet dreams, happy new year, merry christmas, happy holidays, congrats, congratulations, good luck, you too, same to you, same here',
  "that's all, that's it, that is all, that will be all, that's all for now, i'm done, we're done, done, nothing else, nothing more",
  'hallo, guten morgen, guten tag, guten abend, moin, servus, danke, danke schön, vielen dank, tschüss, bonjour, salut, bonsoir, coucou, merci, merci beaucoup, au revoir',
  'hola, buenos días, buenas tardes, buenas noches, gracias, muchas gracias, adiós, ciao, buongiorno, buonasera, grazie, grazie mille, olá, bom dia, boa tarde, boa noite, obrigado, obrigada',
  'namaste, aloha, shalom, salam, merhaba, privet, привет, здравствуйте, спасибо, пока, こんにちは, ありがとう, おはよう, 你好, 您好, 谢谢, 안녕하세요, 감사합니다, مرحبا, شكرا',
];

/** Words that lend a phrase colour or an addressee, and mean nothing beside it: "thanks a lot mate", "ok great then". */
const PADDING =
  'there, everyone, everybody, all, guys, folks, team, friend, my friend, buddy, mate, dude, bro, man, sir, madam, bot, assistant, ai, chatbot, robot, again, today, now, then, so much, very much, a lot, too, though, and, but, just, please, indeed, really, very';

function phrases(line: string): string[][] {
  return line.split(', ').map(wordsOf);
}

/** One apostrophe, so that a phrase is written once. */
function oneApostrophe(text: string): string {
  return text.replaceAll('’', "'");
}

/** One length of "heyyy" and "hahahaha". */
function oneLength(word: string): string {
  return word.replace(/^(?:h[aei]|ja){2,}h?$/u, 'haha').replace(/(\p{L})\1{2,}/gu, '$1');
}

function wordsOf(text: string): string[] {
  return words(oneApostrophe(text)).map(oneLength);
}

/** Phrases by first word, the longest first. */
function index(all: readonly string[][]): Map<string, string[][]> {
  const byFirst = new Map<string, string[][]>();
  for (const phrase of all) {
    const first = phrase[0];
    if (first === undefined) continue;
    byFirst.set(
      first,
      [...(byFirst.get(first) ?? []), phrase].sort((a, b) => b.length - a.length),
    );
  }
  return byFirst;
}

const SAID = index(PHRASES.flatMap(phrases));
const PADDED = index(phrases(PADDING));

function lengthAt(said: readonly string[], at: number, known: Map<string, string[][]>): number {
  const phrase = known
    .get(said[at] ?? '')
    ?.find((candidate) => candidate.every((word, offset) => said[at + offset] === word));
  return phrase?.length ?? 0;
}

/**
 * Reads no further than up to the first word that goes on with none of the phrases: "what" opens some, "what do" none.
 * @returns null where the words end before that can be told
 */
function opensWithPhrase(words: Iterable<string>): boolean | null {
  let open: readonly string[][] | undefined;
  let at = 0;
  for (const word of words) {
    const said = oneLength(word);
    open = open ? open.filter((phrase) => phrase[at] === said) : (SAID.get(said) ?? []);
    at += 1;
    if (open.length === 0) return false;
    if (open.some((phrase) => phrase.length === at)) return true;
  }
  return null;
}

/** Words at the start that are small talk: whole phrases, with padding after a phrase only. */
function smallTalkLength(said: readonly string[]): number {
  let at = 0;
  while (at < said.length) {
    const step = lengthAt(said, at, SAID) || (at > 0 ? lengthAt(said, at, PADDED) : 0);
    if (step === 0) break;
    at += step;
  }
  return at;
}

/**
 * Whether a text is nothing but greeting, thanks, acknowledgement, laughter or farewell, or has no word at all ("👍").
 * One word beyond these makes it something else: "Hi, I'm vegetarian" is not small talk, and neither is a bare "yes",
 * which answers a question. False for a blank text. English, with the commonest greetings of other languages.
 */
export function isSmallTalk(text: string): boolean {
  if (text.trim() === '') return false;
  const plain = oneApostrophe(text);
  // Nearly every text ends here: it is asked of each query.
  if ((opensWithPhrase(plainWordsAhead(plain)) ?? opensWithPhrase(eachWord(plain))) === false) return false;
  const said = wordsOf(text);
  if (said.length === 0) return !/[\p{L}\p{N}]/u.test(text);
  return smallTalkLength(said) === said.length;
}

/** The words that remain when small talk at the start is taken away: "hi there, which host do I use?" without its greeting. */
export function wordsAfterSmallTalk(text: string): string[] {
  const said = wordsOf(text);
  return said.slice(smallTalkLength(said));
}
