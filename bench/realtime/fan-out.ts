import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { call } from '../http.ts';
import { articleOf } from '../speed/documents.ts';
import { type Cores, watchCores } from './cores.ts';
import { openCrowd } from './crowd.ts';
import type { Stage } from './stage.ts';

export interface FanOutOptions {
  readonly subscribers: number;
  /** Each follows `n=` a number of its own; of every change one of them hears. */
  readonly hasOwnFilters: boolean;
  readonly seconds: number;
}

export interface FanOut {
  readonly subscribers: number;
  readonly hasOwnFilters: boolean;
  readonly burst: number;
  readonly changesPerSecond: number;
  readonly deliveriesPerSecond: number;
  /** Of calls that read nothing, made meanwhile: how long everyone else waits. */
  readonly longestCallMs: number;
  readonly cores: Cores;
}

/** Messages that wait for a subscriber, or for all of them together, stay far from what makes one too slow. */
const mostBurst = 500;
const deliveriesInBurst = 50_000;
const filteredBurst = 50;
const probeEveryMs = 20;

/** Writes bursts of documents, each when the last but one has arrived everywhere, and counts what arrives. */
export async function measureFanOut(
  stage: Stage,
  { subscribers, hasOwnFilters, seconds }: FanOutOptions,
): Promise<FanOut> {
  const perChange = hasOwnFilters ? 1 : subscribers;
  const burst = hasOwnFilters
    ? filteredBurst
    : Math.max(1, Math.min(mostBurst, Math.floor(deliveriesInBurst / subscribers)));
  await using crowd = await openCrowd({ ...stage, collection: 'created' }, { subscribers, hasOwnFilters });
  const write = () => stage.post('/collections/created/batch', burstOf(burst, subscribers));
  let written = 0;
  const run = async (forMs: number) => {
    const until = performance.now() + forMs;
    while (performance.now() < until) {
      await write();
      await crowd.received(written * perChange);
      written += burst;
    }
    await crowd.received(written * perChange);
  };
  await run(1000);
  const before = written;
  const startedAt = performance.now();
  const cores = await watchCores(stage, crowd.pids);
  const stopProbe = probe(stage);
  await run(seconds * 1000);
  const passed = (performance.now() - startedAt) / 1000;
  const longestCallMs = await stopProbe();
  const changes = written - before;
  return {
    subscribers,
    hasOwnFilters,
    burst,
    changesPerSecond: changes / passed,
    deliveriesPerSecond: (changes * perChange) / passed,
    longestCallMs,
    cores: await cores(),
  };
}

/** Makes a small call again and again; the answer stops it and says how long the longest took. */
function probe({ url, apiKey }: Stage): () => Promise<number> {
  let longest = 0;
  const over = new AbortController();
  const running = (async () => {
    while (!over.signal.aborted) {
      const startedAt = performance.now();
      await call(`${url}/readyz`, apiKey);
      longest = Math.max(longest, performance.now() - startedAt);
      await sleep(probeEveryMs);
    }
  })();
  return async () => {
    over.abort();
    await running;
    return longest;
  };
}

function burstOf(count: number, numbers: number) {
  return {
    documents: Array.from({ length: count }, (_, at) => ({ ...articleOf(at), n: randomInt(numbers) })),
  };
}
