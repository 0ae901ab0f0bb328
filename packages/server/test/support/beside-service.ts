import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const conditions = ['@plinth/source'];
/** The service itself is tested on every PostgreSQL; what speaks to it, on one. */
const isWanted = process.env.PLINTH_TEST_POSTGRES === undefined;

/** The tests of a package that speaks to a running service. */
export const besideService = (name: string) =>
  defineConfig({
    ssr: { resolve: { conditions, externalConditions: conditions } },
    test: {
      name,
      include: isWanted ? ['src/**/*.test.ts', 'test/**/*.test.ts'] : [],
      passWithNoTests: true,
      globalSetup: [join(import.meta.dirname, 'global-setup.ts')],
      setupFiles: [join(import.meta.dirname, 'failures.ts')],
      // As for the service: two at once, however many cores the machine claims, and time for a busy one.
      maxWorkers: 2,
      testTimeout: 300_000,
      hookTimeout: 300_000,
      expect: { poll: { timeout: 60_000 } },
    },
  });
