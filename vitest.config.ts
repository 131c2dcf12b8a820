import { defineConfig } from 'vitest/config';

// Isolation is the whole cost of a small test file, so pure tests share one thread; whatever starts processes or
// opens sockets gets a fork of its own, and so does the end-to-end part, which is not run by `npm test`.
// A wait ends when its condition holds; how long it may take is for a machine that does much else at the same time.
const shared = {
  environment: 'node',
  unstubEnvs: true,
  setupFiles: ['test/support/fast-check.ts'],
  expect: { poll: { timeout: 20_000 } },
};

export default defineConfig({
  test: {
    projects: [
      { test: { ...shared, name: 'unit', include: ['test/unit/**/*.test.ts'], pool: 'threads', isolate: false } },
      {
        test: {
          ...shared,
          name: 'integration',
          include: ['test/integration/**/*.test.ts', 'test/doubles/**/*.test.ts'],
          pool: 'forks',
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      { test: { ...shared, name: 'architecture', include: ['test/architecture/**/*.test.ts'], pool: 'threads' } },
      {
        test: {
          ...shared,
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          pool: 'forks',
          fileParallelism: false,
          testTimeout: 180_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
