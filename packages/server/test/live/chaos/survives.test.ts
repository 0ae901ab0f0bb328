// @postgres newest
// @needs redis
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, test } from 'vitest';
import { type PlinthProcess, startNodeOf } from '../../support/nodes/plinth-process.ts';
import { newPerson, type Person } from '../../support/people/people.ts';
import { bearer, type LiveApp, liveApp } from '../live-app.ts';
import { History, judge, type Version } from './history.ts';
import { Subscriber } from './subscriber.ts';
import { writeOn } from './writers.ts';

const seconds = Number(process.env.PLINTH_TEST_SECONDS ?? 8);
const [writers, subscribers, users] = [50, 200, 10];

/** What a subscriber may ask for, and what that means. */
const filters: [text: string, passes: (version: Version) => boolean][] = [
  ['', () => true],
  ['state=a', ({ state }) => state === 'a'],
  ['state__in=a,b', ({ state }) => state !== 'c'],
  ['level__gte=3', ({ level }) => level >= 3],
  ['state__ne=b&level__lt=4', ({ state, level }) => state !== 'b' && level < 4],
];

interface Node {
  process: PlinthProcess;
  url: string;
}

test(
  'H4: three nodes, killed again and again, and every subscriber hears of all that it may see',
  async () => {
    const REDIS_URL = inject('redisUrl');
    await using t = await liveApp({ REDIS_URL });
    await t.newCollection('open', { rules: { read: 'users' } });
    await t.newCollection('owned', { rules: { read: 'owner' }, ownerField: 'owner' });
    const people = await Promise.all(Array.from({ length: users }, () => newPerson(t)));
    const nodes: Node[] = await Promise.all(
      [0, 1, 2].map(() => startNodeOf(t, { REDIS_URL, LOG_LEVEL: 'info' })),
    );
    const urls = () => nodes.filter(({ process }) => process.isRunning).map(({ url }) => url);
    const following = await Promise.all(
      Array.from({ length: subscribers }, (_, n) => follow(n, people[n % users]!, urls)),
    );
    const histories = { open: new History(), owned: new History() };
    const until = performance.now() + seconds * 1000;
    const isOver = () => performance.now() > until;
    const writing = Array.from({ length: writers }, (_, n) => {
      const collection = n % 2 === 0 ? 'open' : 'owned';
      return writeOn({
        urls,
        apiKey: t.projects[0].apiKey,
        collection,
        owners: people.map(({ id }) => id),
        history: histories[collection],
        isOver,
        pauseMs: 100,
      });
    });
    const kills = await havoc(
      t,
      nodes,
      following.map(({ subscriber }) => subscriber),
      isOver,
    );
    await Promise.all(writing);
    await settled(following.map(({ subscriber }) => subscriber));
    let [events, duplicates, reconnects, resyncs] = [0, 0, 0, 0];
    for (const { subscriber, collection, maySee } of following) {
      const judged = () => judge(histories[collection], subscriber.told, maySee);
      // It may be between two nodes, and hear of the rest only then.
      await expect.poll(() => judged().missed, { timeout: 120_000, interval: 1000 }).toEqual([]);
      subscriber.stop();
      const verdict = judged();
      expect(verdict).toMatchObject({ missed: [], forbidden: [], disordered: [] });
      events += verdict.events;
      duplicates += verdict.duplicates;
      reconnects += subscriber.reconnects;
      resyncs += subscriber.resyncs;
    }
    await Promise.all(nodes.map(({ process }) => process[Symbol.asyncDispose]()));
    console.log(
      `H4: ${histories.open.size + histories.owned.size} writes, ${events} events to ${subscribers} subscribers, ${duplicates} twice, ${reconnects} reconnects, ${kills} kills, ${resyncs} resyncs; missed 0`,
    );
    // Nothing was lost here, so nobody has to be told to read again.
    expect(resyncs).toBe(0);
  },
  (seconds + 292) * 1000,
);

async function follow(n: number, person: Person, urls: () => readonly string[]) {
  const collection = n % 2 === 0 ? 'open' : 'owned';
  const [filter, passes] = filters[n % filters.length]!;
  const maySee = (version: Version) =>
    passes(version) && (collection === 'open' || version.owner === person.id);
  const subscriber = new Subscriber(urls, bearer(person), { collection, filter });
  await subscriber.start();
  return { subscriber, collection, maySee } as const;
}

/** Kills nodes, the connection that reads the log, and connections of subscribers, in no order. */
async function havoc(
  t: LiveApp,
  nodes: Node[],
  all: readonly Subscriber[],
  isOver: () => boolean,
): Promise<number> {
  const REDIS_URL = inject('redisUrl');
  const cell = t.cells.pool(t.projects[0].cell);
  let kills = 0;
  while (!isOver()) {
    await sleep(700);
    for (const one of all) if (Math.random() < 0.05) one.cut();
    const dice = Math.random();
    if (dice < 0.3) {
      await cell.query(`SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots
        WHERE database = current_database() AND active`);
      kills += 1;
    } else if (dice < 0.6) {
      const at = Math.floor(Math.random() * nodes.length);
      await nodes[at]!.process.stop('SIGKILL');
      kills += 1;
      nodes[at] = await startNodeOf(t, { REDIS_URL, LOG_LEVEL: 'info' });
    }
  }
  return kills;
}

/** Until nobody has been told anything new for a while. */
async function settled(all: readonly Subscriber[]): Promise<void> {
  let before = -1;
  for (let tries = 0; tries < 30; tries += 1) {
    const now = all.reduce((sum, { told }) => sum + told.length, 0);
    if (now === before) return;
    before = now;
    await sleep(3000);
  }
}
