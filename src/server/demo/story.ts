/** One day of the story: what the user says is observed, what they ask is recalled for. */
export interface StoryDay {
  readonly day: number;
  readonly says: readonly string[];
  readonly asks: readonly string[];
}

export const STORY: readonly StoryDay[] = [
  {
    day: 1,
    says: [
      "I'm on the Pro plan, and please keep answers short.",
      "I deploy on Fly.io, I'm vegetarian and my app is called Ledgerly.",
    ],
    asks: [],
  },
  {
    day: 5,
    says: [],
    asks: [
      'Why am I being rate limited?',
      'Which hosting provider do I use?',
      'What should I cook tonight?',
      'What is the capital of France?',
      'hi there',
    ],
  },
  { day: 6, says: ['I switched from the Pro plan to Enterprise'], asks: ['Which plan am I on?'] },
];

/** The story ends today. */
export function dateOf(day: number, today: Date): Date {
  const last = Math.max(...STORY.map((storyDay) => storyDay.day));
  return new Date(today.getTime() - (last - day) * 86_400_000);
}
