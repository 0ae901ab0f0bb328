import { Redis } from 'ioredis';
import type { Log } from '../log.ts';
import { type ChangeStream, type Entry, keptMs, type ReadOptions } from './change-stream.ts';
import { type FeedEpoch, isBefore, lsnOf, origin, type Position, positionOf } from './position.ts';

const trimEveryMs = 10_000;
/** More entries than this are dropped before their hour is over, so that Redis does not run out of memory. */
const mostEntries = 5_000_000;

type RawEntry = [id: string, flat: string[]];

/** For many nodes: one Redis stream for each epoch. Redis takes no entry twice, so repeating one adds nothing. */
export class RedisStream implements ChangeStream {
  readonly #redis: Redis;
  /** For waiting: a connection that waits can do nothing else. */
  readonly #waiters = new Map<string, Redis>();
  readonly #marks = new Map<string, { at: number; position: Position }[]>();

  constructor(url: string, log: Log) {
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
    if (former !== undefined) await this.#redis.pexpire(keyOf(former), keptMs);
    const position = positionOf(from, 0);
    await this.#redis.xadd(keyOf(epoch), position, 'previous', position, 'xid', '0', 'kind', 'begin');
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

  async read(epoch: FeedEpoch, after: Position, { most, waitMs }: ReadOptions): Promise<Entry[] | 'gone'> {
    const found = await this.#readRaw(epoch, after, most, waitMs);
    const entries = found.map(toEntry);
    const [first] = entries;
    if (first) return isBefore(after, first.previous) ? 'gone' : entries;
    const last = await this.last(epoch);
    if (last !== undefined && !isBefore(last, after)) return [];
    this.#waiters.get(epoch)?.disconnect();
    this.#waiters.delete(epoch);
    return 'gone';
  }

  async close(): Promise<void> {
    for (const waiter of this.#waiters.values()) waiter.disconnect();
    this.#redis.disconnect();
  }

  async #add(epoch: FeedEpoch, { position, previous, xid, fields }: Entry): Promise<string | null> {
    const flat = Object.entries({ previous, xid: String(xid), ...fields }).flat();
    try {
      return (await this.#redis.call('XADD', keyOf(epoch), 'NOMKSTREAM', position, ...flat)) as string | null;
    } catch (error) {
      if (/equal or smaller/.test(String(error))) return position;
      throw error;
    }
  }

  async #readRaw(epoch: FeedEpoch, after: Position, most: number, waitMs: number): Promise<RawEntry[]> {
    if (waitMs === 0) {
      return this.#redis.xrange(keyOf(epoch), `(${after}`, '+', 'COUNT', most);
    }
    const waiter = this.#waiterOf(epoch);
    const found = await waiter.xread('COUNT', most, 'BLOCK', waitMs, 'STREAMS', keyOf(epoch), after);
    return found?.[0]?.[1] ?? [];
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
    if (old !== origin) await this.#redis.xtrim(keyOf(epoch), 'MINID', '~', old);
    await this.#redis.xtrim(keyOf(epoch), 'MAXLEN', '~', mostEntries);
  }
}

function keyOf(epoch: FeedEpoch): string {
  return `plinth:changes:${epoch}`;
}

function toEntry([position, flat]: RawEntry): Entry {
  const fields: Record<string, string> = {};
  for (let at = 0; at < flat.length; at += 2) fields[flat[at] ?? ''] = flat[at + 1] ?? '';
  const { previous = position, xid = '0', ...rest } = fields;
  return { position, previous, xid: Number(xid), fields: rest };
}
