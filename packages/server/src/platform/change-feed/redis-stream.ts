import type { Redis } from 'ioredis';
import type { Log } from '../log.ts';
import { createRedis } from '../redis/create-redis.ts';
import {
  type ChangeStream,
  type Entry,
  type Following,
  type HistoryRange,
  keptMs,
  keptNews,
  type News,
  type ReadOptions,
} from './change-stream.ts';
import { type FeedEpoch, isBefore, laterOf, lsnOf, origin, type Position, positionOf } from './position.ts';
import { PositionAges } from './position-ages.ts';
import { floorsOf, historyOf, keyOf, portionsOf, skippedOf, toEntry, toNews } from './redis-entries.ts';
import { feedScripts } from './redis-scripts.ts';

/** Projects that one call of Redis is told of. */
const mostProjects = 500;

/** For many nodes: streams of Redis for each epoch. Redis takes no position twice, so repeating one adds nothing. */
export class RedisStream implements ChangeStream {
  readonly #redis: Redis;
  readonly #mostBytes: number;
  /** For waiting: a connection that waits can do nothing else. */
  readonly #waiters = new Map<string, Redis>();
  /** Of the epochs that this node writes. */
  readonly #ages = new Map<FeedEpoch, PositionAges>();

  constructor(url: string, mostBytes: number, log: Log) {
    this.#mostBytes = mostBytes;
    this.#redis = createRedis(url, {
      maxRetriesPerRequest: 1,
      commandTimeout: 5000,
      enableAutoPipelining: true,
      scripts: feedScripts,
    });
    this.#redis.on('error', (error) => log.debug({ err: error }, 'the change feed is waiting for Redis'));
  }

  async resume(epoch: FeedEpoch): Promise<Position | undefined> {
    const last = await this.last(epoch);
    if (last !== undefined) this.#ages.set(epoch, new PositionAges(last));
    return last;
  }

  async begin(epoch: FeedEpoch, from: bigint, former?: FeedEpoch): Promise<Position> {
    if (former !== undefined) {
      this.#ages.delete(former);
      await this.#redis.feedEnd(keyOf(former));
    }
    const position = positionOf(from, 0);
    await this.#redis.hset(floorsOf(epoch), '', position);
    await this.#redis.xadd(keyOf(epoch), position, 'previous', position, 'xid', '0', 'project', '');
    this.#ages.set(epoch, new PositionAges(position));
    return position;
  }

  async choose(
    epoch: FeedEpoch,
    projects: readonly string[],
    upTo: Position,
  ): Promise<ReadonlySet<string> | undefined> {
    const followed = await this.#redis.feedChoose(keyOf(epoch), upTo, ...projects);
    await this.#forget(epoch);
    return followed === null ? undefined : new Set(followed);
  }

  async follow(
    epoch: FeedEpoch,
    projects: readonly string[],
  ): Promise<ReadonlyMap<string, Following> | undefined> {
    const all = new Map<string, Following>();
    for (let at = 0; at < projects.length; at += mostProjects) {
      const some = projects.slice(at, at + mostProjects);
      const answers = await this.#redis.feedFollow(keyOf(epoch), keptMs, ...some);
      if (answers === null) return undefined;
      for (const [index, [isNew, floor]] of answers.entries())
        all.set(some[index] ?? '', { isNew: isNew === 1, floor });
    }
    return all;
  }

  async append(epoch: FeedEpoch, entries: readonly Entry[]): Promise<bigint | undefined> {
    const ages = this.#ages.get(epoch);
    const bounds = [this.#mostBytes, keptNews, ages?.old ?? origin];
    const portions = Array.from(portionsOf(entries), (portion) =>
      this.#redis.feedAppend(keyOf(epoch), ...bounds, ...portion),
    );
    const results = await Promise.all(portions);
    const last = entries.at(-1);
    if (results.includes(null) || !last) return undefined;
    if (ages) ages.last = last.position;
    return lsnOf(last.position);
  }

  idle(lsn: bigint): bigint {
    return lsn;
  }

  async reach(epoch: FeedEpoch): Promise<Position | undefined> {
    const [last, [skipped]] = await Promise.all([
      this.last(epoch),
      this.#redis.xrevrange(skippedOf(epoch), '+', '-', 'COUNT', 1),
    ]);
    return last === undefined || !skipped ? last : laterOf(last, skipped[0]);
  }

  async last(epoch: FeedEpoch): Promise<Position | undefined> {
    const [last] = await this.#redis.xrevrange(keyOf(epoch), '+', '-', 'COUNT', 1);
    return last?.[0];
  }

  async read(
    epoch: FeedEpoch,
    after: Position,
    { most, waitMs, wanted }: ReadOptions,
  ): Promise<(News | Entry)[] | 'gone'> {
    const waiter = this.#waiterOf(epoch);
    const found = await waiter.xread('COUNT', most, 'BLOCK', waitMs, 'STREAMS', keyOf(epoch), after);
    const news = found?.[0]?.[1].map(toNews) ?? [];
    const [first] = news;
    if (first) return isBefore(after, first.previous) ? 'gone' : this.#filled(epoch, news, wanted);
    const last = await this.last(epoch);
    if (last !== undefined && !isBefore(last, after)) return [];
    this.#waiters.get(epoch)?.disconnect();
    this.#waiters.delete(epoch);
    return 'gone';
  }

  async history(epoch: FeedEpoch, { project, after, upTo, most }: HistoryRange): Promise<Entry[] | 'gone'> {
    // What is dropped between the two is found out by the second.
    const [found, [oldest, own]] = await Promise.all([
      this.#redis.xrange(historyOf(epoch, project), `(${after}`, upTo, 'COUNT', most),
      this.#redis.hmget(floorsOf(epoch), '', project),
    ]);
    const isKept = (floor: string | null | undefined) => !isBefore(after, floor ?? origin);
    if (oldest === null || !isKept(oldest) || !isKept(own)) return 'gone';
    return found.map((raw) => toEntry(raw, project));
  }

  async close(): Promise<void> {
    for (const waiter of this.#waiters.values()) waiter.disconnect();
    this.#redis.disconnect();
  }

  /** News with the changes that they are of, where those are wanted and still there. */
  async #filled(
    epoch: FeedEpoch,
    news: readonly News[],
    wanted: (project: string) => number,
  ): Promise<(News | Entry)[]> {
    const projects = Map.groupBy(news, ({ project }) => project);
    const found = await Promise.all(
      Array.from(projects, async ([project, all]) => {
        const own = all.slice(0, wanted(project));
        if (own.length === 0) return [];
        const [from = origin, to = origin] = [own[0]?.position, own.at(-1)?.position];
        const raw = await this.#redis.xrange(historyOf(epoch, project), from, to);
        return raw.map((one) => toEntry(one, project));
      }),
    );
    const entries = new Map(found.flat().map((entry) => [entry.position, entry]));
    return news.map((one) => entries.get(one.position) ?? one);
  }

  #waiterOf(epoch: FeedEpoch): Redis {
    let waiter = this.#waiters.get(epoch);
    if (!waiter) {
      waiter = this.#redis.duplicate({ commandTimeout: 10_000 });
      waiter.on('error', () => {});
      this.#waiters.set(epoch, waiter);
    }
    return waiter;
  }

  /** Now and then, drops what is older than an hour. */
  async #forget(epoch: FeedEpoch): Promise<void> {
    const old = this.#ages.get(epoch)?.grownOld();
    if (old !== undefined) await this.#redis.feedForget(keyOf(epoch), old, String(lsnOf(old)));
  }
}
