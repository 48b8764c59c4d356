import type { MemoryKind } from '../../../model/kind.js';

/** What becomes of a memory when something new is said; `null` as the outcome is "both stay". */
export interface ConsolidationCase {
  readonly known: string;
  readonly says: string;
  /** `noop`, `forget`, `add`, or the text that replaces the known memory. */
  readonly becomes: string;
  readonly kind?: MemoryKind;
}

function when(known: string, says: string, becomes: string, kind?: MemoryKind): ConsolidationCase {
  return kind === undefined ? { known, says, becomes } : { known, says, becomes, kind };
}

/** The candidate itself takes the place of what was known. */
function replaced(known: string, says: string): ConsolidationCase {
  return { known, says, becomes: says };
}

/** Known already, in the same or other words. */
export const KNOWN: readonly ConsolidationCase[] = [
  when('Is on the Pro plan', 'Is on the Pro plan', 'noop'),
  when('Is on the Pro plan', 'is on the pro plan.', 'noop'),
  when('The user is on the Pro plan.', 'Is on the Pro plan', 'noop'),
  when('Uses the Pro plan', 'Is on the Pro plan', 'noop'),
  when('User lives in Berlin', 'Lives in Berlin', 'noop'),
  when('Is based in Berlin', 'Lives in Berlin', 'noop'),
  when('Lives in Berlin, Germany', 'Lives in Berlin', 'noop'),
  when('I live in Berlin', 'Lives in Berlin', 'noop'),
  when('Is a vegetarian', 'Is vegetarian', 'noop'),
  when('They are vegetarian', 'Is vegetarian', 'noop'),
  when('App is called Ledgerly', 'Has an app called Ledgerly', 'noop'),
  when('Has a dog called Rex', 'Has a dog named Rex', 'noop'),
  when("The user's dog is called Rex", 'Has a dog called Rex', 'noop'),
  when('Loves noodles', 'Likes noodles', 'noop'),
  when('Hates noodles', 'Cannot stand noodles', 'noop'),
  when('Does not like noodles', 'Dislikes noodles', 'noop'),
  when('Prefers concise answers', 'Prefers short answers', 'noop'),
  when('Prefers answers to be brief', 'Prefers short answers', 'noop'),
  when('Likes tea and coffee', 'Likes coffee and tea', 'noop'),
  when('Does not use Heroku', 'No longer uses Heroku', 'noop'),
  when('Works for Siemens', 'Works at Siemens', 'noop'),
  when('Lives in Berlin and works at Siemens', 'Works at Siemens', 'noop'),
  when('Deploys on Fly.io', 'The user deploys to Fly.io', 'noop'),
  when('Name is Anna', 'Is called Anna', 'noop'),
  when('Has two kids', 'Has two children', 'noop'),
  when('Speaks German and French', 'Speaks French and German', 'noop'),
];

/** One value at a time: the new one takes the place of the old. */
export const CHANGED: readonly ConsolidationCase[] = [
  replaced('Is on the Pro plan', 'Is on the Enterprise plan'),
  replaced('The user is on the Pro plan.', 'Is on the Enterprise plan'),
  replaced('Is on the Pro plan', 'Switched from the Pro plan to Enterprise'),
  replaced('Uses the Pro tier', 'Upgraded to the Enterprise plan'),
  replaced('Lives in Berlin', 'Lives in Munich'),
  replaced('Lives in Berlin', 'Moved from Berlin to Munich'),
  replaced('The user currently lives in Berlin', 'The user now lives in Munich'),
  replaced('Lives in Berlin with two cats', 'Lives in Munich'),
  replaced('Works at Siemens', 'Works for Bosch'),
  replaced('Does not work at Siemens', 'Works at Bosch'),
  replaced('Is called Anna', 'Is called Ana'),
  replaced('Is 34 years old', 'Is 35 years old'),
  replaced('Prefers short answers', 'Prefers detailed answers'),
  replaced('Wants answers in German', 'Wants answers in English'),
  replaced('Favourite colour is green', 'Favorite colour is blue'),
  replaced('Time zone is CET', 'Timezone is PST'),
  replaced('Deploys on Heroku', 'Deploys on Fly.io'),
  replaced('Is vegetarian', 'Is vegan'),
  replaced('Is single', 'Is married'),
  replaced('Has two kids', 'Has three kids'),
  replaced('Has a wife called Anna', 'Has a wife called Eva'),
  replaced('Prefers tea over coffee', 'Prefers coffee over tea'),
  replaced('Anna lives in Rome', 'Anna lives in Milan'),
  when('Lives in Berlin and works at Siemens', 'Lives in Munich', 'Lives in Munich and works at Siemens'),
  when('Works at Siemens and lives in Berlin.', 'Lives in Munich', 'Works at Siemens and lives in Munich.'),
  when('Uses Heroku', 'Uses Render instead of Heroku', 'Uses Render'),
  when('Deploys on Heroku', 'Uses Render instead of Heroku', 'Deploys on Render'),
  when('Deploys on Heroku', 'Switched to GCP', 'Deploys on GCP'),
  when('Uses Jira for sprint planning', 'Switched from Jira to Linear', 'add'),
  replaced('Has an app called Ledgerly', 'Has an app called Tally, formerly Ledgerly'),
];

/** Said and denied: one memory stays, of the new polarity. */
export const DENIED: readonly ConsolidationCase[] = [
  replaced('Uses Heroku', 'Does not use Heroku'),
  replaced('Uses Heroku', 'Does not use Heroku any more'),
  replaced('Uses Heroku', 'Has stopped using Heroku'),
  replaced('The user uses Heroku', "Doesn't use Heroku anymore"),
  replaced('Loves noodles', 'Cannot stand noodles'),
  replaced('Loves noodles', 'Does not like noodles any more'),
  replaced('Hates olives', 'Loves olives'),
  replaced('Is vegetarian', 'Is not vegetarian'),
  replaced('Eats meat', 'Does not eat meat'),
  replaced('Does not eat meat', 'Eats meat'),
  replaced('Lives in Berlin', 'Does not live in Berlin'),
  replaced('Is on the Pro plan', 'Is no longer on the Pro plan'),
  replaced('Works at Siemens', 'Does not work at Siemens'),
  replaced('Smokes', 'Does not smoke'),
  replaced('Likes coffee in the morning', 'Does not like coffee'),
  when('Has a dog called Rex', 'Does not have a dog called Rex', 'forget'),
  when('Wants to run a marathon in May', 'Does not want to run a marathon', 'forget'),
];

/** Alike, and about something else: nothing known is touched. */
export const ELSEWHERE: readonly ConsolidationCase[] = [
  when('Has a dog called Rex', 'Has a dog called Bello', 'add'),
  when('Has a daughter called Mia', 'Has a daughter called Lea', 'add'),
  when('Has an app called Ledgerly', 'Has an app called Tally', 'add'),
  when('App is called Ledgerly', 'App is called Tally', 'add'),
  when('Project Alpha uses Postgres', 'Project Beta uses MySQL', 'add'),
  when('Lives in Berlin', 'Friend lives in Rome', 'add'),
  when('Friend lives in Rome', 'Friend lives in Oslo', 'add'),
  when('Friend lives in Rome', 'Lives in Berlin', 'add'),
  when('Wife works at Siemens', 'Works at Bosch', 'add'),
  when('Anna is on the Pro plan', 'Is on the Enterprise plan', 'add'),
  when('Uses Postgres 16', 'Uses Postgres 15', 'add'),
  when('Uses Postgres', 'Uses Redis', 'add'),
  when('Likes noodles', 'Likes rice', 'add'),
  when('Likes red wine', 'Does not like red', 'add'),
  when('Likes red wine', 'Does not like white wine', 'add'),
  when('Speaks German', 'Speaks Italian', 'add'),
  when('Is on the Pro plan', 'Is on a keto meal plan', 'add'),
  when('Is on the Netflix Premium plan', 'Is on the Pro plan', 'add'),
  when('Works at Siemens', 'Also works at Bosch', 'add'),
  when('Lives in Berlin during the week', 'Lives in Potsdam on weekends', 'add'),
  when('Favourite colour is green', 'Favourite band is Radiohead', 'add'),
  when('Is allergic to nuts', 'Is allergic to bees', 'add'),
  when('Has two kids', 'Has two dogs', 'add'),
  when('Has 2 servers in Berlin', 'Has 3 servers in Munich', 'add'),
  when('Deploys Ledgerly on Fly.io', 'Deploys Tally on Render', 'add'),
  when('Deploys on Heroku', 'Hosts the blog on Netlify', 'add'),
  when('Moved to Berlin in 2019', 'Lives in Munich', 'add', 'episodic'),
  when('Met Anna on 2026-03-03', 'Met Anna on 2026-03-04', 'add', 'episodic'),
  when('Wants to run a marathon in May', 'Wants to run a marathon in June', 'add'),
  when('Does not use Heroku', 'Does not use Vercel', 'add'),
  when('Does not live in Berlin', 'Does not live in Munich', 'add'),
  when('Likes long walks', 'Prefers short answers', 'add'),
  when('Prefers short answers', 'Prefers short flights', 'add'),
  when('Has a dog called Rex', 'Does not have a cat called Rex', 'add'),
  when('Was on the Pro plan until March', 'Is on the Enterprise plan', 'add'),
  when('Considering a move to Munich; asked for advice on rents', 'Lives in Hamburg', 'add'),
  when('Would like to live in Rome if the job allows it', 'Lives in Berlin', 'add'),
  when('柏林に住んでいます', 'ミュンヘンに住んでいます', 'add'),
  when('Lebt in Berlin', 'Lebt in München', 'add'),
  when('Boss likes long reports', 'Does not like long reports', 'add'),
];
