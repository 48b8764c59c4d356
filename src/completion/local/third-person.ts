/** "deploy" -> "deploys", "study" -> "studies", "have" -> "has". Spelled out here because a tagger takes "own" for a participle. */
export function thirdPerson(verb: string): string {
  if (verb === 'be') return 'is';
  if (verb === 'have') return 'has';
  if (/[^aeiou]y$/.test(verb)) return `${verb.slice(0, -1)}ies`;
  return /(?:s|sh|ch|x|z|o)$/.test(verb) ? `${verb}es` : `${verb}s`;
}

/** The user's words about themselves as said by another: "my notes" -> "their notes". */
export function inThirdPerson(words: string): string {
  return words
    .replace(/\bmy own\b/gi, 'their own')
    .replace(/\bmy\b/gi, 'their')
    .replace(/\bmyself\b/gi, 'themselves')
    .replace(/\bme\b/g, 'them')
    .replace(/\bmine\b/gi, 'theirs');
}

export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
