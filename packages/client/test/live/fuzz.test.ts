import { expect, test } from 'vitest';
import { openStage } from '../suite/stage.ts';
import { liveFuzz } from './fuzz.ts';

const seconds = Number(process.env.PLINTH_TEST_SECONDS ?? 20);

test(`for ${seconds} s of cuts, restarts and sign-outs, lists are what REST says`, async () => {
  await using open = await openStage();
  const seed = Number(process.env.PLINTH_TEST_SEED ?? Date.now() % 100_000);
  const { differences, ...figures } = await liveFuzz(open, { ms: seconds * 1000, seed });
  console.log(`seed ${seed}: ${JSON.stringify(figures)}`);
  expect(differences).toEqual([]);
  expect(figures.compared).toBeGreaterThan(20);
}, 900_000);

test('a planted bug is caught: an event that is lost on its way to the list', async () => {
  await using open = await openStage();
  const { differences } = await liveFuzz(open, { ms: 60_000, seed: 5, loseEvery: 20 });
  expect(differences).not.toEqual([]);
});
