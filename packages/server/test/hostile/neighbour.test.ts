import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Dice, seed } from '../support/data/dice.ts';
import type { Attack } from './attack.ts';
import { attacks, sample } from './attacks.ts';
import { type Bars, brief, lastingMisses, promised } from './bars.ts';
import { lineOf, tableOf } from './report.ts';
import { Stage } from './stage.ts';
import { type Lengths, type Trial, tryAttacks } from './trial.ts';

/** Of each attack: short in every run of the tests, and as long as asked for in `npm run test:hostile`. */
const seconds = Number(process.env.PLINTH_TEST_SECONDS ?? 0);
/** Of mixtures. */
const minutes = Number(process.env.PLINTH_TEST_MINUTES ?? 0);
const [bars, lengths, times]: [Bars, Lengths, number] =
  seconds === 0
    ? [brief, { attackMs: 1200, quietMs: 500 }, 3]
    : [promised, { attackMs: seconds * 1000, quietMs: seconds * 500 }, 1];

/** In every run of the tests some of each kind are tried. */
const tried =
  process.env.PLINTH_TEST_HOSTILE === undefined ? attacks.filter(({ name }) => sample.has(name)) : attacks;

let stage: Stage;
const trials: Trial[] = [];
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(async () => {
  console.log(tableOf(trials, bars));
  await stage[Symbol.asyncDispose]();
});

async function missesUnder(chosen: readonly Attack[]): Promise<string[]> {
  const nextTrial = async () => {
    const trial = await tryAttacks(stage, chosen, lengths);
    trials.push(trial);
    console.log(lineOf(trial, bars));
    return trial;
  };
  return (await lastingMisses(nextTrial, bars, times)).map(({ sentence }) => sentence);
}

describe.runIf(minutes === 0)('the neighbour does not notice', () => {
  test.each(tried.map((attack) => ({ ...attack })))('$name', async (attack) => {
    expect(await missesUnder([attack])).toEqual([]);
  });
});

test.runIf(minutes > 0)(
  'the neighbour does not notice mixtures of attacks',
  async () => {
    console.log(`PLINTH_SEED=${seed}`);
    const dice = new Dice(seed);
    const until = performance.now() + minutes * 60_000;
    const misses: string[] = [];
    while (performance.now() < until) {
      const chosen = new Set(Array.from({ length: dice.between(2, 4) }, () => dice.pick(attacks)));
      const names = Array.from(chosen, ({ name }) => name).join(' + ');
      for (const miss of await missesUnder([...chosen])) misses.push(`${names}: ${miss}`);
    }
    expect(misses).toEqual([]);
  },
  minutes * 60_000 + 600_000,
);
