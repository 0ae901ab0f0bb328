import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { brief, lastingMisses } from './bars.ts';
import { planted } from './planted-attacks.ts';
import { Stage } from './stage.ts';
import { tryAttacks } from './trial.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open([fileURLToPath(new URL('./planted-bugs.ts', import.meta.url))]);
});
afterAll(() => stage[Symbol.asyncDispose]());

/** The planted delay is not many times as long as a call takes on a slow machine. */
const slowed = { ...brief, slowdown: 3, slowdownBusy: 3 };

async function misses(bug: string): Promise<string> {
  const attack = planted.find(({ name }) => name === `planted: ${bug}`)!;
  const nextTrial = () => tryAttacks(stage, [attack], { quietMs: 2000, attackMs: 2000 });
  const misses = await lastingMisses(nextTrial, bug === 'slowness' ? slowed : brief, 3);
  return misses.map(({ sentence }) => sentence).join('\n');
}

test('where nothing is planted, nothing is missed', async () => {
  expect(await misses('nothing')).toBe('');
});

test.each([
  ['stall', /The event loop was held up for \d{3,4} ms/],
  ['memory', /The node took \d{3} MB more/],
  ['errors', /\d+ calls of the neighbour failed, such as [^]*read/],
  ['slowness', /The neighbour's calls took [\d.]+ times as long/],
  ['crash', /The node crashed\. [^]*A bug was planted here\./],
])('a planted %s is caught', async (bug, sentence) => {
  expect(await misses(bug)).toMatch(sentence);
});

test('after a crash the next attack finds everybody in place', async () => {
  expect(await misses('nothing')).toBe('');
});
