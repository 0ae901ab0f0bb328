// @postgres newest
// @needs redis
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Dice, seed } from '../support/data/dice.ts';
import { ask } from './ask.ts';
import { missesOf } from './bars.ts';
import { conduct, usualGraceMs } from './conduct.ts';
import { describeHoldings, growthOf, type Holding, holdingOf } from './growth.ts';
import { LoneStage } from './lone-stage.ts';
import { loneStrikes } from './lone-strikes.ts';
import { lineOf } from './report.ts';

/** `npm run test:soak` goes on for an hour; otherwise everything happens once, for a moment. */
const seconds = Number(process.env.PLINTH_TEST_SECONDS ?? 0);
const isShort = seconds === 0;
const momentMs = 700;
const deadlineMs = 2000;
// What is silent is noticed by a deadline, which need not be as long as usual; a busy machine is slow to connect.
const settings: Record<string, string> = isShort
  ? { DATABASE_CONNECT_TIMEOUT_MS: '15000' }
  : { STATEMENT_TIMEOUT_MS: String(deadlineMs) };

async function everythingOnce(stage: LoneStage): Promise<void> {
  for (const { strike } of loneStrikes) {
    await strike(stage, momentMs);
    await stage.nodes.areReady();
  }
}

/** Looks at what the node that is never stopped holds, between any two faults. */
async function everythingAgain(stage: LoneStage): Promise<readonly Holding[]> {
  console.log(`PLINTH_SEED=${seed}`);
  const holdings: Holding[] = [];
  const dice = new Dice(seed);
  for (const until = performance.now() + seconds * 1000; performance.now() < until; ) {
    const { name, strike } = dice.pick(loneStrikes);
    const ms = dice.between(200, 10_000);
    console.log(`${new Date().toISOString()} ${name} for ${ms} ms`);
    await strike(stage, ms);
    await stage.nodes.areReady();
    await sleep(dice.between(0, 20_000));
    holdings.push(await look(stage));
  }
  return holdings;
}

async function look({ nodes, postgres }: LoneStage): Promise<Holding> {
  const [row] = await ask(
    postgres.url,
    `SELECT count(*)::int AS count FROM pg_stat_activity WHERE backend_type = 'client backend'`,
  );
  return holdingOf(nodes.pidOf(1), Number(row?.count));
}

test(
  'H10: everything that can happen, one after the other: nothing lost, nothing invented, nothing stuck',
  async () => {
    await using stage = await LoneStage.open({ settings });
    let holdings: readonly Holding[] = [];
    const strike = async () => {
      if (isShort) await everythingOnce(stage);
      else holdings = await everythingAgain(stage);
    };
    const outcome = await conduct({
      nodes: stage.nodes,
      databaseUrl: stage.postgres.url,
      strike,
      gapsOf: 'service',
      // In so short a time the figures are those of a busy machine, unless they are beyond all measure.
      graceMs: isShort ? 30_000 : deadlineMs + 1000 + usualGraceMs,
      ...(isShort ? { beforeMs: 500, afterMs: 1000, writers: 12 } : { pauseMs: 500 }),
    });
    console.log(lineOf('everything', { postgres: 18, outcome }));
    expect(missesOf(outcome)).toEqual([]);
    if (isShort) return;
    console.log(`Of the node that was never stopped, by quarters of the run: ${describeHoldings(holdings)}.`);
    expect(growthOf(holdings)).toEqual([]);
  },
  seconds * 1000 + 300_000,
);
