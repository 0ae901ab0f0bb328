import {
  bytesOf,
  type ChangeStream,
  type Entry,
  type Following,
  type HistoryRange,
  keptMs,
  keptNews,
  type News,
  type ReadOptions,
} from './change-stream.ts';
import { MemoryHistories } from './memory-histories.ts';
import { type FeedEpoch, isBefore, lsnOf, type Position, positionOf } from './position.ts';
import { PositionedList } from './positioned-list.ts';

/** How much of the log PostgreSQL may keep for it. */
const keptLog = 256n * 1_048_576n;

const markEveryMs = 10_000;

interface Mark {
  readonly at: number;
  readonly lsn: bigint;
}

function isPast({ at, lsn }: Mark, now: number, head: bigint): boolean {
  return at < now - keptMs || lsn < head - keptLog;
}

type TimedNews = News & { readonly at: number };

/**
 * For a single process. The slot is told to forget only what is no longer kept here, so that a process that starts again
 * reads the rest from the log once more: positions outlive the process.
 */
export class MemoryStream implements ChangeStream {
  readonly #histories: MemoryHistories;
  #epoch: FeedEpoch | undefined;
  /** There is word of everything after this. */
  #floor: Position = positionOf(0n, 0);
  #last: Position = positionOf(0n, 0);
  #news = new PositionedList<TimedNews>();
  /** Where the log was, now and then. */
  #marks: Mark[] = [];
  /** Positions before this are not kept, even if nothing happened after them. */
  #quiet = 0n;
  readonly #waiting = new Set<() => void>();

  constructor(mostBytes: number) {
    this.#histories = new MemoryHistories(mostBytes);
  }

  async resume(epoch: FeedEpoch, confirmed: bigint): Promise<Position> {
    if (this.#epoch !== epoch) this.#restart(epoch, confirmed);
    return this.#last;
  }

  async begin(epoch: FeedEpoch, from: bigint): Promise<Position> {
    this.#restart(epoch, from);
    return this.#last;
  }

  async follow(
    epoch: FeedEpoch,
    projects: readonly string[],
  ): Promise<ReadonlyMap<string, Following> | undefined> {
    if (epoch !== this.#epoch) return undefined;
    return new Map(projects.map((one) => [one, { isNew: false, floor: this.#histories.floorOf(one) }]));
  }

  /** All of them: a process that starts again reads the log once more, and does not know who followed what before. */
  async choose(epoch: FeedEpoch, projects: readonly string[]): Promise<ReadonlySet<string> | undefined> {
    return epoch === this.#epoch ? new Set(projects) : undefined;
  }

  async append(epoch: FeedEpoch, entries: readonly Entry[]): Promise<bigint | undefined> {
    if (epoch !== this.#epoch) return undefined;
    const at = Date.now();
    for (const entry of entries) {
      const { position, previous, xid, project } = entry;
      this.#news.add({ position, previous, xid, project, at });
      this.#histories.add(entry, bytesOf(entry));
      this.#last = position;
    }
    this.#forget(at, lsnOf(this.#last));
    this.#wake();
    return this.#confirmable();
  }

  idle(lsn: bigint): bigint {
    const now = Date.now();
    this.#forget(now, lsn);
    if (now - (this.#marks.at(-1)?.at ?? 0) > markEveryMs) this.#marks.push({ at: now, lsn });
    // Somebody may have been told a position at which nothing happened: it is kept as long as any other.
    for (let mark = this.#marks[0]; mark && isPast(mark, now, lsn); mark = this.#marks[0]) {
      this.#quiet = mark.lsn;
      this.#marks.shift();
    }
    return this.#news.size > 0 && this.#confirmable() < this.#quiet ? this.#confirmable() : this.#quiet;
  }

  reach(epoch: FeedEpoch): Promise<Position | undefined> {
    return this.last(epoch);
  }

  async last(epoch: FeedEpoch): Promise<Position | undefined> {
    return epoch === this.#epoch ? this.#last : undefined;
  }

  async read(
    epoch: FeedEpoch,
    after: Position,
    { most, waitMs }: ReadOptions,
  ): Promise<(News | Entry)[] | 'gone'> {
    if (epoch === this.#epoch && !isBefore(after, this.#last)) await this.#nextEntry(waitMs);
    if (epoch !== this.#epoch || isBefore(after, this.#floor)) return 'gone';
    return this.#news.after(after, most).map((news) => this.#histories.find(news) ?? news);
  }

  async history(epoch: FeedEpoch, range: HistoryRange): Promise<Entry[] | 'gone'> {
    if (epoch !== this.#epoch || isBefore(range.after, this.#floor)) return 'gone';
    return this.#histories.read(range);
  }

  async close(): Promise<void> {
    this.#wake();
  }

  #restart(epoch: FeedEpoch, from: bigint): void {
    this.#epoch = epoch;
    this.#floor = positionOf(from, 0);
    this.#last = this.#floor;
    this.#quiet = from;
    this.#marks = [];
    this.#news = new PositionedList();
    this.#histories.clear();
    this.#wake();
  }

  #forget(now: number, head: bigint): void {
    for (let oldest = this.#news.first; oldest; oldest = this.#news.first) {
      const { at, position } = oldest;
      if (this.#news.size <= keptNews && !isPast({ at, lsn: lsnOf(position) }, now, head)) return;
      this.#news.drop();
      this.#histories.forget(oldest);
      this.#floor = position;
    }
  }

  /** Up to where the slot need not repeat commits. One of which a part is kept is still needed as a whole. */
  #confirmable(): bigint {
    return lsnOf(this.#floor) - 1n;
  }

  #nextEntry(waitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, waitMs);
      this.#waiting.add(wake);
    });
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
  }
}
