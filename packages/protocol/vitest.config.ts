import { defineConfig } from 'vitest/config';

const conditions = ['@plinth/source'];

export default defineConfig({
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    name: 'protocol',
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
  },
});
