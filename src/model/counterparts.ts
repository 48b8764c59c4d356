/** What people use one of, or mostly one of: who goes over to another says that the first is done with. */
const COUNTERPARTS: Readonly<Record<string, string>> = {
  editor:
    'vim|neovim|emacs|vs ?code|visual studio code|visual studio|vscodium|sublime(?: text)?|atom|zed|helix|nano|notepad\\+\\+|cursor|windsurf|intellij(?: idea)?|webstorm|pycharm|phpstorm|rubymine|goland|rider|eclipse|xcode|android studio',
  browser:
    'chrome|google chrome|chromium|firefox|safari|edge|microsoft edge|brave|opera|vivaldi|arc|tor browser|zen browser',
  notes:
    'notion|obsidian|evernote|onenote|logseq|roam(?: research)?|bear|apple notes|google keep|joplin|craft|anytype|simplenote|standard notes',
  tasks: 'todoist|things(?: 3)?|ticktick|any\\.do|omnifocus|microsoft to do|wunderlist|remember the milk',
  issues: 'jira|linear|asana|trello|clickup|monday(?:\\.com)?|basecamp|youtrack|redmine|shortcut|github issues',
  chat: 'slack|microsoft teams|ms teams|teams|mattermost|rocket\\.?chat|zulip',
  calls: 'zoom|google meet|webex|jitsi|whereby',
  'package manager': 'npm|yarn|pnpm|bun',
  'python packages': 'pip|poetry|pipenv|uv|conda',
  'frontend framework':
    'react|vue|angular|svelte|sveltekit|solid(?:js)?|preact|ember|next\\.?js|nuxt(?:\\.?js)?|remix|astro|qwik',
  'web framework':
    'django|flask|fastapi|rails|ruby on rails|laravel|symfony|spring(?: boot)?|express|nest(?:js)?|fastify|koa|hono|phoenix',
  database:
    'postgres|postgresql|mysql|mariadb|sqlite|mongodb|mongo|oracle|sql server|cockroachdb|dynamodb|couchdb|cassandra',
  orm: 'typeorm|prisma|drizzle|sequelize|mikro-?orm|kysely|hibernate|sqlalchemy',
  bundler: 'webpack|vite|rollup|esbuild|parcel|rspack|turbopack|gulp|grunt',
  'test runner': 'jest|vitest|mocha|jasmine|karma|ava',
  'browser tests': 'cypress|playwright|selenium|puppeteer',
  linter: 'eslint|biome|tslint|oxlint|standardjs',
  forge: 'github|gitlab|bitbucket|gitea|codeberg|forgejo|azure devops',
  ci: 'jenkins|circleci|travis(?: ci)?|github actions|gitlab ci|teamcity|buildkite|drone',
  shell: 'bash|zsh|fish|nushell|powershell',
  terminal: 'iterm2?|alacritty|kitty|wezterm|ghostty|warp|hyper|gnome terminal',
  system:
    'windows(?: \\d+)?|linux|macos|ubuntu|debian|fedora|arch(?: linux)?|linux mint|pop!?_os|opensuse|nixos|chromeos|mac(?:book)?|pc',
  'password manager': '1password|bitwarden|lastpass|keepass(?:xc)?|dashlane|proton pass|nordpass|enpass',
  search: 'google|duckduckgo|kagi|bing|ecosia|startpage|qwant',
  mail: 'gmail|outlook|thunderbird|proton ?mail|fastmail|hey|apple mail|tuta|superhuman',
  music: 'spotify|apple music|tidal|deezer|youtube music|amazon music',
  cloud: 'aws|amazon web services|gcp|google cloud(?: platform)?|azure',
  platform: 'heroku|fly\\.io|render|railway|vercel|netlify|dokku|coolify',
  design: 'figma|sketch|adobe xd|penpot|invision',
  photos: 'lightroom|capture one|darktable',
  phone: 'iphone|android(?: phone)?|pixel|samsung(?: galaxy)?|fairphone',
  keyboard: 'qwerty|qwertz|dvorak|colemak|azerty',
  crm: 'salesforce|hubspot|pipedrive|zoho',
  books: 'quickbooks|xero|freshbooks|sage|datev|lexoffice',
  payments: 'stripe|paddle|braintree|adyen|mollie|lemon squeezy',
  language: 'duolingo|babbel|memrise|busuu|rosetta stone',
  assistant: 'chatgpt|claude|gemini|copilot|github copilot|perplexity|mistral',
  drink:
    '(?:black |filter |instant |decaf )?coffee|espresso|decaf|(?:green |black |herbal )?tea|matcha|mat[eé]|yerba mate|rooibos',
  milk: "(?:cow's |whole |skimmed |dairy |regular )?milk|(?:oat|almond|soy|soya|rice|coconut) milk",
  transport: '(?:by )?(?:car|bike|bicycle|bus|train|tram|subway|metro|tube|ferry|scooter|motorbike|motorcycle)|on foot',
};

const KINDS = Object.entries(COUNTERPARTS).map(
  ([kind, names]) => [kind, new RegExp(`^(?:${names})(?: v?\\d[\\d.]*)?$`, 'i')] as const,
);

/** The kind of which people use one at a time ("editor" for Vim); null for what is in no list, and goes beside anything. */
export function kindOfTool(name: string): string | null {
  const bare = name.replace(/^(?:an?|the|my|their) /i, '');
  return KINDS.find(([, names]) => names.test(bare))?.[0] ?? null;
}
