/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/src', '<rootDir>/test', '<rootDir>/eval'],
  testMatch: ['**/*.spec.ts'],
  // The memory page's suites need a browser (`npm run test:browser`), the packed package needs npm (`npm run test:hosts`).
  testPathIgnorePatterns: [
    '/node_modules/',
    '<rootDir>/test/hosts/',
    ...(process.env.CHROMIUM_PATH ? [] : ['<rootDir>/test/browser/']),
  ],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
        },
        module: { type: 'es6' },
      },
    ],
  },
  moduleNameMapper: {
    '^nestjs-engram$': '<rootDir>/src/index.ts',
    '^nestjs-engram/graphql$': '<rootDir>/src/graphql/index.ts',
    '^nestjs-engram/openai$': '<rootDir>/src/openai.ts',
    '^nestjs-engram/local$': '<rootDir>/src/local.ts',
    '^nestjs-engram/bullmq$': '<rootDir>/src/bullmq.ts',
    '^nestjs-engram/embedded$': '<rootDir>/src/storage/embedded/index.ts',
    '^nestjs-engram/testing$': '<rootDir>/src/testing/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  // On a native server (test:services) the run owns the databases.
  reporters: ['default', ...(process.env.ENGRAM_TEST_DATABASE_URL ? ['<rootDir>/test/support/database-run.mjs'] : [])],
  globalSetup: '<rootDir>/test/support/database-dump.mjs',
  setupFiles: ['reflect-metadata', '<rootDir>/test/support/idle-connections.ts'],
  // Ends what hangs; no test is to fail for a machine that is slow or stands still for a while.
  testTimeout: 300_000,
  maxWorkers: 2,
};
