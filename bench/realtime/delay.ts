import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../percentiles.ts';
import { articleOf } from '../speed/documents.ts';
import { type Cores, watchCores } from './cores.ts';
import { follow } from './follow.ts';
import type { Stage } from './stage.ts';

interface DelayOptions {
  /** Documents that are to be created. */
  readonly perSecond: number;
  /** In one call. */
  readonly batch: number;
  readonly seconds: number;
  /** Creates documents in the collection `created`, each with its `n`. */
  readonly create: (documents: readonly { readonly n: number }[]) => Promise<unknown>;
}

export interface Delay {
  /** What was reached. */
  readonly perSecond: number;
  readonly events: number;
  /** From the answer to the create until the event; 0 if the event was first. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** How many of the events came before the answer. */
  readonly early: number;
  /** From sending the create until the event. */
  readonly wholeP50Ms: number;
  readonly wholeP99Ms: number;
  readonly cores: Cores;
}

interface Moments {
  sent: number;
  answered: number;
  arrived: number;
}

const tickMs = 2;
const warmUpMs = 2000;
const patienceMs = 30_000;

/**
 * One subscriber and whoever writes are in this process: one clock tells the time of both. Calls are sent when they are
 * due, whether earlier ones were answered or not.
 */
export async function measureDelay(
  stage: Stage,
  { perSecond, batch, seconds, create }: DelayOptions,
): Promise<Delay> {
  const moments: Moments[] = [];
  let trouble: string | undefined;
  const socket = await follow(
    { ...stage, collection: 'created' },
    {
      onEvent: (text) => note(moments, text),
      onTrouble: (what) => {
        trouble = what;
      },
    },
  );
  const calls: Promise<void>[] = [];
  const startedAt = performance.now();
  const endsAt = startedAt + warmUpMs + seconds * 1000;
  const cores = await watchCores(stage, []);
  for (let now = performance.now(); now < endsAt; now = performance.now()) {
    const due = ((now - startedAt) / 1000) * perSecond;
    while (moments.length < due) calls.push(createAt(moments, batch, create));
    await sleep(tickMs);
  }
  await Promise.all(calls);
  const spent = await cores();
  const until = performance.now() + patienceMs;
  while (moments.some(({ arrived }) => arrived === 0) && performance.now() < until) await sleep(20);
  await socket.leave();
  if (trouble !== undefined) throw new Error(`The subscriber: ${trouble}`);
  return summarise(moments, startedAt + warmUpMs, spent);
}

async function createAt(moments: Moments[], count: number, create: DelayOptions['create']): Promise<void> {
  const sent = performance.now();
  const own = Array.from({ length: count }, () => ({ sent, answered: 0, arrived: 0 }));
  const first = moments.push(...own) - count;
  await create(own.map((_, at) => ({ ...articleOf(first + at), n: first + at })));
  const answered = performance.now();
  for (const moment of own) moment.answered = answered;
}

/** By calls of the node, one for all documents that are given at once. */
export function byCalls(stage: Stage): DelayOptions['create'] {
  return (documents) =>
    documents.length === 1
      ? stage.post('/collections/created', documents[0])
      : stage.post('/collections/created/batch', { documents });
}

function note(moments: readonly Moments[], text: Buffer): void {
  const now = performance.now();
  const { document } = JSON.parse(text.toString()) as { document: { n: number } };
  moments[document.n]!.arrived = now;
}

function summarise(moments: readonly Moments[], from: number, cores: Cores): Delay {
  const counted = moments.filter(({ sent }) => sent >= from);
  const lost = counted.filter(({ arrived }) => arrived === 0).length;
  if (lost > 0) throw new Error(`${lost} of ${counted.length} events did not come.`);
  const delays = counted.map(({ answered, arrived }) => arrived - answered);
  const whole = counted.map(({ sent, arrived }) => arrived - sent);
  const passed = Math.max(...counted.map(({ answered }) => answered)) - from;
  return {
    perSecond: counted.length / (passed / 1000),
    events: counted.length,
    p50Ms: Math.max(0, percentile(delays, 0.5)),
    p99Ms: Math.max(0, percentile(delays, 0.99)),
    early: delays.filter((delay) => delay < 0).length,
    wholeP50Ms: percentile(whole, 0.5),
    wholeP99Ms: percentile(whole, 0.99),
    cores,
  };
}
