import { LRUCache } from 'lru-cache';
import { sha256 } from '../../../platform/crypto/secrets.ts';
import type { Cells } from '../../../platform/db/cells.ts';
import { guarded } from '../../../platform/guarded.ts';
import type { Log } from '../../../platform/log.ts';
import { upTo } from '../../../platform/up-to.ts';
import { ownTableFrom } from '../placement/index.ts';
import type { CheckedFilter, CheckedQuery } from '../query/index.ts';
import { addDuration, enoughCalls, medianOf, quickMs } from './durations.ts';
import { shapesOf } from './shape.ts';
import { saveShapes } from './shape-store.ts';
import { canBeHelped } from './suggest.ts';
import { largeFrom, type NotedProject, Tallies, type Tally } from './tallies.ts';

/** A list that was read. */
export interface NotedCall {
  readonly project: NotedProject;
  readonly collection: number;
  /** All that was asked in SQL: the query of the caller and the rule. */
  readonly filter: CheckedFilter;
  readonly sort: CheckedQuery['sort'];
  readonly ms: number;
  /** How many documents the collection has, where that is known. */
  readonly documents: number | undefined;
}

interface ShapeLogOptions {
  readonly log: Pick<Log, 'warn'>;
  /** A large collection has slow queries that an index may help. */
  readonly onSlow: (project: NotedProject, collection: number) => void | Promise<void>;
  readonly now?: () => number;
}

const flushEveryMs = 10_000;
const mostCollections = 5000;
const slowMs = 10;
/** One in so many quick calls is looked at. */
const sampling = 8;
/** A longer one is not kept. */
const longestShape = 2000;
const tellEveryMs = 60_000;
/** How long a collection that was found to be small is taken for one. */
const smallForMs = 600_000;
const mostFailures = 3;

interface InCollection {
  readonly collection: number;
}

/** Notes which shapes of queries run on this node and how long they take, and tells the cell of it now and then. */
export class ShapeLog {
  readonly #cells: Pick<Cells, 'forProject'>;
  readonly #options: ShapeLogOptions;
  readonly #now: () => number;
  readonly #tallies = new Tallies();
  readonly #toldAt = new LRUCache<string, number>(upTo(mostCollections));
  /** Collections, and until when quick calls on them are not looked at. */
  readonly #smallUntil = new LRUCache<string, number>(upTo(mostCollections));
  #phase = 0;
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> | undefined;

  constructor(cells: Pick<Cells, 'forProject'>, options: ShapeLogOptions) {
    this.#cells = cells;
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  start(): void {
    // Spread over time, so that nodes started together do not write together.
    const everyMs = flushEveryMs * (0.75 + Math.random() / 2);
    // What was not written is only missing from statistics.
    this.#timer = setInterval(
      guarded(
        () => {},
        () => this.flush(),
      ),
      everyMs,
    ).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#flushing;
    await this.flush();
  }

  /** How many shapes wait for the next flush. */
  get size(): number {
    return this.#tallies.size;
  }

  /** Notes a call. Most quick ones cost nothing but a comparison. */
  note(call: NotedCall): void {
    const isSlow = call.ms >= slowMs;
    if (!isSlow && (!this.#mayBeLarge(call) || !this.#isSample())) return;
    const weight = isSlow ? 1 : sampling;
    const shapes = shapesOf(call.filter, call.sort, call.collection);
    const [listed] = shapes;
    for (const { collection, shape } of shapes) {
      const text = JSON.stringify(shape);
      if (text.length > longestShape) continue;
      const tally = this.#tallies.of({ project: call.project, collection, shape, text });
      tally.calls += weight;
      addDuration(tally.durations, call.ms, weight);
      // A small collection behind a link may not be what made the call slow.
      if (isSlow && shape === listed.shape) tally.fromDocuments = 0;
    }
  }

  #mayBeLarge({ project, collection, documents }: NotedCall): boolean {
    if (documents !== undefined) return documents >= largeFrom;
    const until = this.#smallUntil.get(`${project.cell}/${project.id}/${collection}`);
    return until === undefined || until < this.#now();
  }

  /** One in eight, by steps that catch each of several queries that take turns. */
  #isSample(): boolean {
    this.#phase = (this.#phase + 0x9e3779b1) >>> 0;
    return this.#phase < 2 ** 32 / sampling;
  }

  /** Writes what was noted since the last time. Never fails: what could not be written is kept for the next time. */
  async flush(): Promise<void> {
    this.#flushing ??= this.#write().finally(() => {
      this.#flushing = undefined;
    });
    return this.#flushing;
  }

  async #write(): Promise<void> {
    const failures = new Map<number, number>();
    for (const batch of this.#tallies.takeAll()) {
      const [first] = batch;
      if (!first) continue;
      const { project } = first;
      const failed = failures.get(project.cell) ?? 0;
      // Not every project in turn has to find out that the database is away.
      if (failed < mostFailures && (await this.#save(project, batch))) continue;
      failures.set(project.cell, failed + 1);
      for (const tally of batch) this.#tallies.keep(tally);
    }
  }

  async #save(project: NotedProject, batch: readonly Tally[]): Promise<boolean> {
    const seen = batch.map(({ collection, shape, text, calls, durations, fromDocuments }) => {
      return { collection, shape, hash: sha256(text).toString('hex'), calls, durations, fromDocuments };
    });
    try {
      const kept = await saveShapes(this.#cells.forProject(project), seen);
      this.#noteSmall(project, seen, kept);
      // A shape that is no reason for an index yet must not use up the one message a minute.
      const frequent = new Set(
        kept
          .filter(({ documents, calls }) => documents >= ownTableFrom && calls >= enoughCalls)
          .map(({ collection, hash }) => `${collection}/${hash}`),
      );
      const slow = seen.filter(
        ({ shape, durations, collection, hash }) =>
          frequent.has(`${collection}/${hash}`) && (medianOf(durations) ?? 0) > quickMs && canBeHelped(shape),
      );
      for (const number of new Set(slow.map(({ collection }) => collection)))
        await this.#tell(project, number);
      return true;
    } catch (error) {
      const text = 'recording query shapes failed; it will be retried';
      this.#options.log.warn({ err: error, project: project.id }, text);
      return false;
    }
  }

  /** Nothing is kept of a collection that is too small. */
  #noteSmall(project: NotedProject, seen: readonly InCollection[], kept: readonly InCollection[]): void {
    const large = new Set(kept.map(({ collection }) => collection));
    for (const { collection } of seen) {
      if (large.has(collection)) continue;
      this.#smallUntil.set(`${project.cell}/${project.id}/${collection}`, this.#now() + smallForMs);
    }
  }

  async #tell(project: NotedProject, collection: number): Promise<void> {
    const key = `${project.cell}/${project.id}/${collection}`;
    const now = this.#now();
    if (now - (this.#toldAt.get(key) ?? Number.NEGATIVE_INFINITY) < tellEveryMs) return;
    this.#toldAt.set(key, now);
    try {
      await this.#options.onSlow(project, collection);
    } catch (error) {
      this.#toldAt.delete(key);
      this.#options.log.warn(
        { err: error, project: project.id, collection },
        'slow queries could not be reported',
      );
    }
  }
}
