/** Source of a pattern: animals that people keep. */
export const PET =
  '(?:dog|cat|puppy|kitten|parrot|hamster|rabbit|bunny|horse|pony|goldfish|fish|turtle|tortoise|snake|guinea pig|ferret|chicken|hen|bird|budgie|gecko|lizard|llama|goat|donkey)';
