import { setTimeout as sleep } from 'node:timers/promises';
import { call } from './call.ts';
import type { Journal } from './journal.ts';
import { judgeEvents } from './judge-events.ts';
import { judgeWrites } from './judge-writes.ts';
import { Load } from './load.ts';
import { longestGap } from './longest-gap.ts';
import type { Nodes } from './nodes.ts';
import { Probe } from './probe.ts';
import { readStored } from './read-stored.ts';
import { Subscriber } from './subscriber.ts';

const collection = 'faults';
/** To notice that the database is back, and to connect. */
export const usualGraceMs = 2000;
/** How long a late event is waited for before it counts as missing. */
const patienceMs = 30_000;

export interface Outcome {
  readonly acknowledged: number;
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
  readonly missing: readonly string[];
  readonly invented: readonly string[];
  readonly resyncs: number;
  /** The longest that no write of a node was answered with success; for readers the same. */
  readonly writeGapMs: number;
  readonly readGapMs: number;
  /** The same for a plain client of the database. */
  readonly engineGapMs: number;
  /** How much longer than the database the service may take. */
  readonly graceMs: number;
  /** Every node became ready again, and nobody helped. */
  readonly isWell: boolean;
  /** What else was found wrong, in sentences. */
  readonly complaints: readonly string[];
  readonly failures: ReadonlyMap<string, number>;
}

export interface Conducted {
  readonly nodes: Nodes;
  /** Leads to PostgreSQL whatever happens, for those who look from outside. */
  readonly databaseUrl: string;
  /** Does the worst, and resolves when it is over. */
  readonly strike: () => Promise<void>;
  readonly beforeMs?: number;
  readonly afterMs?: number;
  readonly writers?: number;
  /** Between two calls of a writer or reader. */
  readonly pauseMs?: number;
  /** A node that is stopped on purpose has gaps; then only the service as a whole is measured. */
  readonly gapsOf?: 'nodes' | 'service';
  readonly graceMs?: number;
  /** Looks for what writers, readers and subscribers do not notice. */
  readonly inspect?: () => Promise<readonly string[]>;
}

/** Lets something happen to a deployment under load, and says what came of it. */
export async function conduct(conducted: Conducted): Promise<Outcome> {
  const {
    nodes,
    databaseUrl,
    strike,
    beforeMs = 4000,
    afterMs = 8000,
    writers = 24,
    pauseMs = 60,
  } = conducted;
  const { apiKey } = nodes.project;
  const made = await call(nodes.urls[0]!, apiKey, {
    method: 'POST',
    path: '/collections',
    body: { name: collection },
  });
  if (made.status !== 201) throw new Error(`No collection could be made: ${made.status} ${made.code}`);
  const readAll = () => readStored(databaseUrl, collection);
  const subscribers = nodes.urls.map(
    (_, at) => new Subscriber({ url: () => nodes.urls[at]!, apiKey, collection, readAll }),
  );
  const load = new Load({ urls: () => nodes.urls, apiKey, collection, writers, readers: 4, pauseMs });
  const probe = new Probe(databaseUrl);
  try {
    await Promise.all(subscribers.map((subscriber) => subscriber.start()));
    await probe.start();
    await load.start();

    await sleep(beforeMs);
    const from = performance.now();
    await strike();
    await sleep(afterMs);
    const until = performance.now();

    const isWell = await nodes.areReady();
    const complaints = (await conducted.inspect?.()) ?? [];
    const journal = await load.stop();
    const gap = gapsBetween(from, until, conducted.gapsOf === 'service' ? 1 : nodes.urls.length);
    return {
      ...(await judge(journal, subscribers, readAll)),
      acknowledged: journal.size,
      resyncs: subscribers.reduce((sum, { resyncs }) => sum + resyncs, 0),
      writeGapMs: gap(journal.writes),
      readGapMs: gap(journal.reads),
      engineGapMs: longestGap(probe.commits, from, until),
      graceMs: conducted.graceMs ?? usualGraceMs,
      isWell,
      complaints,
      failures: journal.failures,
    };
  } finally {
    await Promise.all([load.stop(), probe.stop(), ...subscribers.map((subscriber) => subscriber.stop())]);
  }
}

/** What is late is given time: only what never comes is missing. */
async function judge(
  journal: Journal,
  subscribers: readonly Subscriber[],
  readAll: () => ReturnType<typeof readStored>,
) {
  const stored = await readAll();
  const { lost, doubled } = judgeWrites(journal, stored);
  for (const begun = performance.now(); ; await sleep(250)) {
    const verdicts = subscribers.map(({ heard }) => judgeEvents(heard, journal, stored));
    const missing = verdicts.flatMap((verdict) => verdict.missing);
    if (missing.length > 0 && performance.now() - begun < patienceMs) continue;
    const invented = verdicts.flatMap((verdict) => verdict.invented);
    return { lost: [...lost, ...journal.vanished], doubled, missing, invented };
  }
}

function gapsBetween(from: number, until: number, nodes: number) {
  return (successes: readonly { readonly node: number; readonly at: number }[]): number => {
    const gaps = Array.from({ length: nodes }, (_, node) => {
      const own = successes.filter((success) => success.node % nodes === node);
      return longestGap(
        own.map(({ at }) => at),
        from,
        until,
      );
    });
    return Math.max(...gaps);
  };
}
