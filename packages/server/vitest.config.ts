import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { describeMissing, type Engine, missingEngines, mustHaveAll } from './test/support/engines.ts';

const conditions = ['@plinth/source'];
const { PLINTH_TEST_POSTGRES: postgres, PLINTH_TEST_TABLES: tables } = process.env;

/**
 * Where a test is run is said by its first lines. By default on every version of PostgreSQL that is supported:
 * `// @postgres newest` is for what does not depend on it, as are all tests beside the code. `// @tables own moving` says
 * that it is run again with every collection in a table of its own, or on its way into one. `// @needs redis chromium`
 * names engines without which it is skipped; `test/support/engines.ts` knows them.
 */
function says(file: string, name: string, value: string): boolean {
  const [head] = readFileSync(new URL(file, import.meta.url), 'utf8').split(/^(?!\/\/)/m, 1);
  return new RegExp(`^// @${name} (.* )?${value}( |$)`, 'm').test(head ?? '');
}

function isWanted(file: string): boolean {
  if (tables !== undefined) return says(file, 'tables', tables);
  return postgres === undefined || (file.startsWith('test/') && !says(file, 'postgres', 'newest'));
}

const missing = missingEngines();
const needs = (engine: Engine) => (file: string) => engine === 'postgres15' || says(file, 'needs', engine);
const wanted = globSync('{src,test}/**/*.test.ts', {
  cwd: import.meta.dirname,
  exclude: ['test/hostile'],
}).filter(isWanted);

export default defineConfig({
  plugins: [
    {
      name: 'missing-engines',
      configureVitest({ vitest }) {
        if (missing.length === 0) return;
        const report = describeMissing(missing, (engine) => wanted.filter(needs(engine)));
        if (mustHaveAll()) throw new Error(report);
        process.stderr.write(report);
        // A file that is skipped is not a mistake, even if it is the only one that was asked for.
        vitest.config.passWithNoTests = true;
      },
    },
  ],
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    name: 'server',
    include: wanted.filter((file) => !missing.some((engine) => needs(engine)(file))),
    globalSetup: ['./test/support/global-setup.ts'],
    setupFiles: ['./test/support/failures.ts'],
    // Most tests wait for something most of the time: two at once fit on two cores.
    maxWorkers: 2,
    // Modules keep no state (npm run check:source), so files can share what they load: it was a third of the time.
    isolate: false,
    // Far beyond what anything takes, since a busy machine may be many times slower than an idle one.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
