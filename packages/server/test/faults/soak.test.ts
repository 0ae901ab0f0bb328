// @postgres newest
// @needs redis
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Dice, seed } from '../support/data/dice.ts';
import { missesOf } from './bars.ts';
import { conduct, usualGraceMs } from './conduct.ts';
import { LoneStage } from './lone-stage.ts';
import { loneStrikes } from './lone-strikes.ts';
import { lineOf } from './report.ts';

/** `npm run test:soak` goes on for an hour; otherwise everything happens once, for a moment. */
const seconds = Number(process.env.PLINTH_TEST_SECONDS ?? 0);
const isShort = seconds === 0;
const momentMs = 700;
const deadlineMs = 2000;

async function everythingOnce(stage: LoneStage): Promise<void> {
  for (const { strike } of loneStrikes) {
    await strike(stage, momentMs);
    await stage.nodes.areReady();
  }
}

async function everythingAgain(stage: LoneStage): Promise<void> {
  console.log(`PLINTH_SEED=${seed}`);
  const dice = new Dice(seed);
  for (const until = performance.now() + seconds * 1000; performance.now() < until; ) {
    const { name, strike } = dice.pick(loneStrikes);
    const ms = dice.between(200, 10_000);
    console.log(`${new Date().toISOString()} ${name} for ${ms} ms`);
    await strike(stage, ms);
    await stage.nodes.areReady();
    await sleep(dice.between(0, 20_000));
  }
}

test(
  'H10: everything that can happen, one after the other: nothing lost, nothing invented, nothing stuck',
  async () => {
    // What is silent is noticed by a deadline, which need not be as long as usual.
    await using stage = await LoneStage.open({ settings: { STATEMENT_TIMEOUT_MS: String(deadlineMs) } });
    const outcome = await conduct({
      nodes: stage.nodes,
      databaseUrl: stage.postgres.url,
      strike: () => (isShort ? everythingOnce(stage) : everythingAgain(stage)),
      gapsOf: 'service',
      // In so short a time the figures are those of a busy machine, unless they are beyond all measure.
      graceMs: isShort ? 10_000 : deadlineMs + 1000 + usualGraceMs,
      ...(isShort ? { beforeMs: 500, afterMs: 1000, writers: 12 } : { pauseMs: 500 }),
    });
    console.log(lineOf('everything', outcome));
    expect(missesOf(outcome)).toEqual([]);
  },
  seconds * 1000 + 300_000,
);
