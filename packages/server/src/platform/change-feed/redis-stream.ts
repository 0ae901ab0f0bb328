import { Redis } from 'ioredis';
import type { Log } from '../log.ts';
import {
  bytesOf,
  type ChangeStream,
  type Entry,
  type HistoryRange,
  keptMs,
  keptNews,
  type News,
  type ReadOptions,
} from './change-stream.ts';
import { type FeedEpoch, isBefore, lsnOf, origin, type Position, positionOf } from './position.ts';
import { appendScript, expireScript, forgetScript } from './redis-scripts.ts';

const trimEveryMs = 10_000;

type RawEntry = [id: string, flat: string[]];

/** For many nodes: streams of Redis for each epoch. Redis takes no position twice, so repeating one adds nothing. */
export class RedisStream implements ChangeStream {
  readonly #redis: Redis;
  readonly #mostBytes: number;
  /** For waiting: a connection that waits can do nothing else. */
  readonly #waiters = new Map<string, Redis>();
  readonly #marks = new Map<string, { at: number; position: Position }[]>();
  /** Up to where changes of an epoch are older than an hour, as far as this node knows. */
  readonly #old = new Map<string, Position>();

  constructor(url: string, mostBytes: number, log: Log) {
    this.#mostBytes = mostBytes;
    this.#redis = new Redis(url, {
      // Nothing connects before somebody subscribes to something.
      lazyConnect: true,
      maxRetriesPerRequest: 1,
      commandTimeout: 5000,
      enableAutoPipelining: true,
    });
    this.#redis.on('error', (error) => log.debug({ err: error }, 'the change feed waits for Redis'));
  }

  async resume(epoch: FeedEpoch): Promise<Position | undefined> {
    return this.last(epoch);
  }

  async begin(epoch: FeedEpoch, from: bigint, former?: FeedEpoch): Promise<Position> {
    if (former !== undefined) await this.#redis.eval(expireScript, 1, keyOf(former), keptMs);
    const position = positionOf(from, 0);
    await this.#redis.hset(floorsOf(epoch), '', position);
    await this.#redis.xadd(keyOf(epoch), position, 'previous', position, 'xid', '0', 'project', '');
    return position;
  }

  async append(epoch: FeedEpoch, entries: readonly Entry[]): Promise<bigint | undefined> {
    const results = await Promise.all(entries.map((entry) => this.#add(epoch, entry)));
    if (results.includes(null)) return undefined;
    const last = entries.at(-1);
    if (!last) return undefined;
    await this.#trim(epoch, last.position);
    return lsnOf(last.position);
  }

  idle(lsn: bigint): bigint {
    return lsn;
  }

  async last(epoch: FeedEpoch): Promise<Position | undefined> {
    const [last] = await this.#redis.xrevrange(keyOf(epoch), '+', '-', 'COUNT', 1);
    return last?.[0];
  }

  async read(
    epoch: FeedEpoch,
    after: Position,
    { most, waitMs, wants }: ReadOptions,
  ): Promise<(News | Entry)[] | 'gone'> {
    const waiter = this.#waiterOf(epoch);
    const found = await waiter.xread('COUNT', most, 'BLOCK', waitMs, 'STREAMS', keyOf(epoch), after);
    const news = found?.[0]?.[1].map(toNews) ?? [];
    const [first] = news;
    if (first) return isBefore(after, first.previous) ? 'gone' : this.#filled(epoch, news, wants);
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

  async #add(epoch: FeedEpoch, entry: Entry): Promise<unknown> {
    const { position, previous, xid, project, fields } = entry;
    const old = this.#old.get(epoch) ?? origin;
    const sizes = [bytesOf(entry), this.#mostBytes, keptNews];
    const own = [old, position, String(lsnOf(position)), previous, xid, ...Object.entries(fields).flat()];
    return this.#redis.eval(appendScript, 1, keyOf(epoch), project, ...sizes, ...own);
  }

  /** News with the changes that they are of, where those are wanted and still there. */
  async #filled(
    epoch: FeedEpoch,
    news: readonly News[],
    wants: (project: string) => boolean,
  ): Promise<(News | Entry)[]> {
    const wanted = news.filter(({ project }) => wants(project));
    const projects = Map.groupBy(wanted, ({ project }) => project);
    const found = await Promise.all(
      Array.from(projects, async ([project, own]) => {
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

  /** Drops what is older than an hour, by the times at which positions were written here. */
  async #trim(epoch: FeedEpoch, last: Position): Promise<void> {
    const now = Date.now();
    const marks = this.#marks.get(epoch) ?? [];
    if ((marks.at(-1)?.at ?? 0) > now - trimEveryMs) return;
    marks.push({ at: now, position: last });
    this.#marks.set(epoch, marks);
    let old = origin;
    for (let mark = marks[0]; mark && mark.at < now - keptMs; mark = marks[0]) {
      old = mark.position;
      marks.shift();
    }
    if (old === origin) return;
    this.#old.set(epoch, old);
    await this.#redis.eval(forgetScript, 1, keyOf(epoch), old, String(lsnOf(old)));
  }
}

function keyOf(epoch: FeedEpoch): string {
  return `plinth:changes:${epoch}`;
}

function historyOf(epoch: FeedEpoch, project: string): string {
  return `${keyOf(epoch)}:of:${project}`;
}

function floorsOf(epoch: FeedEpoch): string {
  return `${keyOf(epoch)}:floors`;
}

function toNews([position, flat]: RawEntry): News {
  const { previous = position, xid = '0', project = '' } = named(flat);
  return { position, previous, xid: Number(xid), project };
}

function toEntry([position, flat]: RawEntry, project: string): Entry {
  const { previous = position, xid = '0', bytes: _, ...fields } = named(flat);
  return { position, previous, xid: Number(xid), project, fields };
}

function named(flat: readonly string[]): Record<string, string> {
  const fields: Record<string, string> = {};
  for (let at = 0; at < flat.length; at += 2) fields[flat[at] ?? ''] = flat[at + 1] ?? '';
  return fields;
}
