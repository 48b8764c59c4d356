/** The arrows of the architecture: imports point inward. Type-only imports count too, since a type is a dependency of the reader. */
/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'model-imports-nothing',
      comment: 'The model is what everything else speaks of: pure functions and types that a reader understands alone.',
      severity: 'error',
      from: { path: '^src/model/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^(src/(?!model/)|node_modules/)' },
    },
    {
      name: 'errors-import-nothing',
      comment: 'Errors are thrown from every ring, so they may know none.',
      severity: 'error',
      from: { path: '^src/errors/' },
      to: { path: '^(src/(?!errors/)|node_modules/)' },
    },
    {
      name: 'ports-know-no-adapter',
      comment: 'A port that names an adapter cannot be replaced by a host.',
      severity: 'error',
      from: {
        path: '^src/(storage|embedding|completion|queue|policy|events|access)/[^/]+\\.ts$',
        pathNot: '\\.spec\\.ts$',
      },
      to: { path: '^src/(storage|embedding|completion|queue|policy|events|access)/[^/]+/' },
    },
    {
      name: 'adapters-know-no-sibling',
      comment:
        'Two adapters that share code share it through their port or the model, else one cannot be installed without the other. The embedded database is the Postgres store on another server.',
      severity: 'error',
      from: { path: '^src/(storage|embedding|completion|queue|policy|events)/([^/]+)/', pathNot: '\\.spec\\.ts$' },
      to: {
        path: '^src/(storage|embedding|completion|queue|policy|events)/[^/]+/',
        pathNot: ['^src/$1/$2/', '^src/storage/postgres/'],
      },
    },
    {
      name: 'postgres-stays-postgres',
      comment: 'The exception above goes one way: the Postgres store knows nothing of the embedded server.',
      severity: 'error',
      from: { path: '^src/storage/postgres/' },
      to: { path: '^src/(storage/embedded|embedding/[^/]+|completion/[^/]+|queue/[^/]+|policy/[^/]+|events/[^/]+)/' },
    },
    {
      name: 'use-cases-know-ports-only',
      comment:
        'memory/ and observation/ run on any adapter. The heuristic and model consolidators are observation itself.',
      severity: 'error',
      from: { path: '^src/(memory|observation)/', pathNot: '\\.spec\\.ts$' },
      to: {
        path: '^src/((storage|embedding|completion|queue|policy|events)/[^/]+/|graphql/|server/|chat/|web/|cli/|testing/|memory\\.(?!options))',
      },
    },
    {
      name: 'graphql-goes-through-the-service',
      comment: 'A resolver that reaches the store or the queue bypasses scope, policy and events.',
      severity: 'error',
      from: { path: '^src/graphql/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^src/(storage|queue|server)/' },
    },
    {
      name: 'access-knows-no-transport',
      comment: 'Who may do what is asked from GraphQL today and from elsewhere tomorrow.',
      severity: 'error',
      from: { path: '^src/access/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^src/(graphql|server|storage|queue|embedding|completion)/' },
    },
    {
      name: 'nobody-imports-the-barrel',
      comment: 'Our own barrels are for hosts; inside, import the file that has it.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(server/|index\\.ts$)|\\.spec\\.ts$' },
      to: { path: '^src/(index|openai|local|bullmq|throttler)\\.ts$|^src/[^/]+/index\\.ts$' },
    },
    {
      name: 'the-page-stands-alone',
      comment: 'The memory page runs in a browser and knows the GraphQL schema only; nothing on the server runs it.',
      severity: 'error',
      from: { path: '^src/web/' },
      to: { path: '^src/(?!web/)' },
    },
    {
      name: 'the-page-is-only-served',
      comment: 'Browser code in a server module would fail at import.',
      severity: 'error',
      from: { path: '^src/(?!web/)' },
      to: { path: '^src/web/' },
    },
    {
      name: 'nobody-imports-the-server',
      comment: 'The reference app is a host like any other; the package does not need it.',
      severity: 'error',
      from: { path: '^src/(?!server/)', pathNot: '\\.spec\\.ts$' },
      to: { path: '^src/server/' },
    },
    {
      name: 'doubles-stay-in-tests',
      comment: 'Product code that runs on a double is a stub.',
      severity: 'error',
      from: { path: '^src/(?!testing/)', pathNot: '\\.spec\\.ts$' },
      to: { path: '^src/testing/' },
    },
    {
      name: 'sql-stays-in-storage',
      comment: 'TypeORM and pg beyond storage/postgres would be SQL without a scope.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/storage/|\\.spec\\.ts$' },
      to: { path: '^node_modules/(typeorm|pg|pgvector|@nestjs/typeorm)/' },
    },
    {
      name: 'hosts-have-no-dev-dependencies',
      comment:
        'A file that hosts load may import only what package.json brings along or asks of them. The memory page is bundled with what it needs.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(server|web)/|\\.spec\\.ts$' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['npm', 'npm-peer', 'npm-optional'] },
    },
    {
      name: 'no-circles',
      comment: 'Modules that need each other are one module, or hide a third.',
      severity: 'error',
      from: { path: '^src/' },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-orphans',
      comment: 'What nobody imports is dead. Barrels, entries and tests are where imports begin.',
      severity: 'error',
      from: { orphan: true, path: '^src/', pathNot: ['\\.(spec|d)\\.ts$', '\\.mjs$'] },
      to: {},
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'default'] },
  },
};
