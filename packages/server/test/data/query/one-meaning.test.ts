// @tables own moving
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { operators } from '../../support/query/arbitrary-conditions.ts';
import { loadRound, runSize, seed } from '../../support/query/rounds.ts';
import { useTestApp } from '../../support/test-app.ts';
import { matcherReader, oneMeaning, oracleReader, sqlReader } from './one-meaning.ts';

const t = useTestApp();

test('Q1, Q3, Q4: SQL over HTTP, the matcher and the naive oracle give the same documents in the same order', async () => {
  const { rounds, documentsEach, queriesEach } = runSize;
  const readers = { sql: sqlReader(t.api), matcher: matcherReader(), oracle: oracleReader };
  const seen = { cases: 0, refused: 0, some: 0 };
  const telling = new Set<string>();
  for (let number = 0; number < rounds; number += 1) {
    const round = await loadRound(t.api, number, documentsEach);
    const property = oneMeaning(round, readers, (queryString, reply) => {
      seen.cases += 1;
      if (reply === 'refused') seen.refused += 1;
      else if (reply.length > 0 && reply.length < documentsEach) {
        seen.some += 1;
        for (const operator of operators) if (queryString.includes(`${operator}=`)) telling.add(operator);
      }
    });
    await fc.assert(property, { seed: seed + number, numRuns: queriesEach });
  }
  console.log(seen);
  expect(seen.cases).toBeGreaterThanOrEqual(2000);
  // A check that seldom sees a document would prove nothing.
  expect(seen.some).toBeGreaterThan(seen.cases / 4);
  expect(seen.refused).toBeGreaterThan(20);
  expect([...telling].toSorted()).toEqual(operators.toSorted());
});
