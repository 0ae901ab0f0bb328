import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { missingEngines, mustHaveAll } from '../support/engines.ts';

const support = join(import.meta.dirname, '../support');
const conditions = ['@plinth/source'];
const isWanted = process.env.PLINTH_TEST_POSTGRES === undefined;
const canRun = mustHaveAll() || !missingEngines().includes('redis');

/** These tests measure: they run after all others, alone on the machine. */
export default defineConfig({
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    name: 'hostile',
    include: isWanted && canRun ? ['*.test.ts'] : [],
    passWithNoTests: true,
    globalSetup: [join(support, 'global-setup.ts')],
    setupFiles: [join(support, 'failures.ts')],
    sequence: { groupOrder: 1 },
    maxWorkers: 1,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
