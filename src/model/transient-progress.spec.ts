import { describe, expect, it } from '@jest/globals';
import { isTransientProgress } from './transient-progress.js';

const TRANSIENT: readonly string[] = [
  'I am currently running the tests',
  'Is currently running the tests',
  'User is currently running the test suite',
  "I'm running the migrations now",
  'working on step 3 of 5',
  'Is working on step 2/7 of the plan',
  'Schritt 3 von 5',
  'Processing file 12 of 40',
  'Retry 2 of 3',
  'The upload is 40% complete',
  'Progress: 80%',
  'The tests are still failing',
  'The build is running',
  'CI is red right now',
  'Waiting for the build',
  'Still waiting on the deployment to finish',
  'Just finished running the tests',
  'I have just pushed the fix commit',
  'Let me check the logs',
  "I'll run the linter first",
  'Please wait.',
  'Working on it',
  'TODO: write tests',
  'Ich führe gerade die Tests aus',
];

const DURABLE: readonly string[] = [
  'Is currently learning Spanish',
  'Currently works at Acme',
  'Is currently building a house',
  'Is currently looking for a job',
  'Is waiting for the results of a biopsy',
  'Is writing a query builder for TypeORM',
  'Is currently writing a compiler in Rust',
  'Runs the tests before each commit',
  'Wants to be told when the build is running',
  'Prefers small commits',
  'Deploys on Fly.io',
  'Is training for a marathon',
  'Is running a bakery in Ulm',
  'Is currently running a marathon every year',
  'Always run the linter before pushing',
  'Has finished two of five books',
  'Finished part 1 of 3 of the Foundation series',
  'Lives on the 3rd of 5 floors',
  'Will run for office in 2027',
  'Owns 40% of the company',
  'Works in three steps: plan, build, test',
  'Is the maintainer of a CI pipeline',
  'Is now a senior engineer',
  'Has just moved to Berlin',
  'Just started a job at Acme',
  'Hates waiting for builds',
  'Let me know is a phrase that she dislikes',
];

describe('isTransientProgress', () => {
  it.each(TRANSIENT)('sees the task at hand in %j', (text) => {
    expect(isTransientProgress(text)).toBe(true);
  });

  it.each(DURABLE)('sees something lasting in %j', (text) => {
    expect(isTransientProgress(text)).toBe(false);
  });
});
