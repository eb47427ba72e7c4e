/** @jest-config-loader esbuild-register */
import type { Config } from 'jest';

const config: Config = {
  globalSetup: '<rootDir>/packages/development/jest/global-setup.mjs',
  globalTeardown: '<rootDir>/packages/development/jest/global-teardown.mjs',
  roots: ['<rootDir>'],
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['/dist/'],
  extensionsToTreatAsEsm: ['.ts'],
  testEnvironment: '<rootDir>/packages/development/jest/environment.mjs',
  testEnvironmentOptions: { customExportConditions: ['platform-source', 'node', 'node-addons'] },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: { target: 'es2023', parser: { syntax: 'typescript' } },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
    // jwks-rsa loads it with require, which jest can only do once it is compiled.
    '/jose/dist/.+\\.js$': '@swc/jest',
  },
  transformIgnorePatterns: ['/node_modules/(?!(?:\\.pnpm/)?jose[@/])'],
  testTimeout: 60_000 * Number(process.env['PLATFORM_TEST_TIMEOUT_FACTOR'] ?? 1),
  // Modules of ESM tests are not given back by Node.js 20: a worker that has grown is replaced.
  maxWorkers: '100%',
  workerIdleMemoryLimit: '1GB',
  reporters: ['default', '<rootDir>/packages/development/jest/tally-reporter.mjs'],
};

export default config;
