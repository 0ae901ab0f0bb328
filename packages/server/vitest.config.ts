import { defineConfig } from 'vitest/config';

const conditions = ['@plinth/source'];

export default defineConfig({
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    name: 'server',
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['./test/support/global-setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
