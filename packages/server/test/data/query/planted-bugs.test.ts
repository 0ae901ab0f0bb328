// @postgres newest
// @tables own moving
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { loadRound, type Round, runSize, seed } from '../../support/query/rounds.ts';
import { useTestApp } from '../../support/test-app.ts';
import { Disagreement, matcherReader, oneMeaning, oracleReader, sqlReader } from './one-meaning.ts';
import { plantedBugs } from './planted-bugs.ts';

const t = useTestApp();

const rounds: Promise<Round>[] = [];
const caughtAfter: Record<string, number> = {};
afterAll(() => console.log('caught after how many queries:', caughtAfter));

/** Runs the property as the real run does, and stops where it fails. */
async function firstFailure(bug: string): Promise<unknown> {
  const matcher = matcherReader(plantedBugs[bug]);
  const readers = { sql: sqlReader(t.api), matcher, oracle: oracleReader };
  for (let number = 0; number < runSize.rounds; number += 1) {
    rounds[number] ??= loadRound(t.api, number, runSize.documentsEach);
    const property = oneMeaning(await rounds[number]!, readers);
    const run = await fc.check(property, {
      seed: seed + number,
      numRuns: runSize.queriesEach,
      endOnFailure: true,
    });
    caughtAfter[bug] = number * runSize.queriesEach + run.numRuns;
    if (run.failed) return run.errorInstance;
  }
  return undefined;
}

test.each(Object.keys(plantedBugs))('the check catches a matcher where %s', async (bug) => {
  const failure = await firstFailure(bug);
  expect(failure).toBeInstanceOf(Disagreement);
  expect((failure as Disagreement).oddOneOut, (failure as Disagreement).message).toBe('matcher');
});
