import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const support = join(import.meta.dirname, '../server/test/support');
const conditions = ['@plinth/source'];
/** The service itself is tested on every PostgreSQL; what speaks to it, on one. */
const isWanted = process.env.PLINTH_TEST_POSTGRES === undefined;

export default defineConfig({
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    name: 'client',
    include: isWanted ? ['src/**/*.test.ts', 'test/**/*.test.ts'] : [],
    passWithNoTests: true,
    globalSetup: [join(support, 'global-setup.ts')],
    setupFiles: [join(support, 'failures.ts')],
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
