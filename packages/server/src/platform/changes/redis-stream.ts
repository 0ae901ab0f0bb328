import { Redis } from 'ioredis';
import type { Log } from '../log.ts';
import type { ChangeStream, Entry } from './change-stream.ts';
import { isBefore, lsnOf, origin, type Position, positionOf } from './position.ts';

const keptMs = 3_600_000;
const trimEveryMs = 10_000;
/** More than an hour brings are let go earlier, before Redis runs out of memory. */
const mostEntries = 5_000_000;

type RawEntry = [id: string, flat: string[]];

/** For many nodes: one Redis stream for each epoch. Redis refuses an entry twice, so whoever repeats itself adds nothing. */
export class RedisStream implements ChangeStream {
  readonly #redis: Redis;
  /** For waiting: a connection that waits can do nothing else. */
  readonly #waiters = new Map<string, Redis>();
  readonly #marks = new Map<string, { at: number; position: Position }[]>();

  constructor(url: string, log: Log) {
    this.#redis = new Redis(url, {
      // Nothing is connected before somebody follows something.
      lazyConnect: true,
      maxRetriesPerRequest: 1,
      commandTimeout: 5000,
      enableAutoPipelining: true,
    });
    this.#redis.on('error', (error) => log.debug({ err: error }, 'the change feed waits for Redis'));
  }

  async resume(epoch: string): Promise<Position | undefined> {
    return this.last(epoch);
  }

  async begin(epoch: string, from: bigint, former?: string): Promise<Position> {
    if (former !== undefined) await this.#redis.pexpire(keyOf(former), keptMs);
    const position = positionOf(from, 0);
    await this.#redis.xadd(keyOf(epoch), position, 'previous', position, 'xid', '0', 'kind', 'begin');
    return position;
  }

  async append(epoch: string, entries: readonly Entry[]): Promise<bigint | undefined> {
    const results = await Promise.all(entries.map((entry) => this.#add(epoch, entry)));
    if (results.includes(null)) return undefined;
    const last = entries.at(-1)!.position;
    await this.#trim(epoch, last);
    return lsnOf(last);
  }

  idle(lsn: bigint): bigint {
    return lsn;
  }

  async last(epoch: string): Promise<Position | undefined> {
    const [last] = (await this.#redis.xrevrange(keyOf(epoch), '+', '-', 'COUNT', 1)) as RawEntry[];
    return last?.[0];
  }

  async read(
    epoch: string,
    after: Position,
    { most, waitMs }: { most: number; waitMs: number },
  ): Promise<Entry[] | 'gone'> {
    const found = await this.#readRaw(epoch, after, most, waitMs);
    const [first] = found;
    if (first) {
      const entries = found.map(toEntry);
      return isBefore(after, entries[0]!.previous) ? 'gone' : entries;
    }
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

  async #add(epoch: string, { position, previous, xid, fields }: Entry): Promise<string | null> {
    const flat = Object.entries({ previous, xid: String(xid), ...fields }).flat();
    try {
      return (await this.#redis.call('XADD', keyOf(epoch), 'NOMKSTREAM', position, ...flat)) as string | null;
    } catch (error) {
      if (/equal or smaller/.test(String(error))) return position;
      throw error;
    }
  }

  async #readRaw(epoch: string, after: Position, most: number, waitMs: number): Promise<RawEntry[]> {
    if (waitMs === 0) {
      return this.#redis.xrange(keyOf(epoch), `(${after}`, '+', 'COUNT', most);
    }
    const waiter = this.#waiterOf(epoch);
    const found = await waiter.xread('COUNT', most, 'BLOCK', waitMs, 'STREAMS', keyOf(epoch), after);
    return found?.[0]?.[1] ?? [];
  }

  #waiterOf(epoch: string): Redis {
    let waiter = this.#waiters.get(epoch);
    if (!waiter) {
      waiter = this.#redis.duplicate({ commandTimeout: 10_000 });
      waiter.on('error', () => {});
      this.#waiters.set(epoch, waiter);
    }
    return waiter;
  }

  /** Lets go of what is older than an hour, by the times at which positions were written here. */
  async #trim(epoch: string, last: Position): Promise<void> {
    const now = Date.now();
    const marks = this.#marks.get(epoch) ?? [];
    if (marks.length > 0 && marks.at(-1)!.at > now - trimEveryMs) return;
    marks.push({ at: now, position: last });
    this.#marks.set(epoch, marks);
    let old = origin;
    while (marks[0]!.at < now - keptMs) old = marks.shift()!.position;
    if (old !== origin) await this.#redis.xtrim(keyOf(epoch), 'MINID', '~', old);
    await this.#redis.xtrim(keyOf(epoch), 'MAXLEN', '~', mostEntries);
  }
}

function keyOf(epoch: string): string {
  return `plinth:changes:${epoch}`;
}

function toEntry([position, flat]: RawEntry): Entry {
  const fields: Record<string, string> = {};
  for (let at = 0; at < flat.length; at += 2) fields[flat[at]!] = flat[at + 1]!;
  const { previous = position, xid = '0', ...rest } = fields;
  return { position, previous, xid: Number(xid), fields: rest };
}
