import { LRUCache } from 'lru-cache';
import type { Cells } from '../../platform/db/cells.ts';
import type { Log } from '../../platform/log.ts';
import { sha256 } from '../../platform/secrets.ts';
import type { Project } from '../projects/index.ts';
import type { CheckedFilter, CheckedQuery } from '../query/index.ts';
import { ownTableFrom } from './collection-index.ts';
import { bucketOf, enoughCalls, medianOf, noDurations, quickMs } from './durations.ts';
import { type CollectionShape, shapesOf } from './shape.ts';
import { saveShapes } from './shape-store.ts';
import { canBeHelped } from './suggest.ts';

type NotedProject = Pick<Project, 'id' | 'ref' | 'cell'>;

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
const mostShapes = 5000;
const slowMs = 10;
/** One in so many quick calls is looked at. */
const sampling = 8;
const largeFrom = 1000;
/** A longer one is not worth its place. */
const longestShape = 2000;
const tellEveryMs = 60_000;
/** For so long a collection that was found small is taken for one. */
const smallForMs = 600_000;
const mostTries = 30;
const mostFailures = 3;

interface Noted extends CollectionShape {
  readonly project: NotedProject;
  readonly text: string;
}

/** Calls of one shape since the last flush. */
interface Tally extends Noted {
  calls: number;
  readonly durations: number[];
  /** Worth keeping only if the collection has as many documents. */
  fromDocuments: number;
  /** How often it could not be written. */
  tries: number;
}

interface InCollection {
  readonly collection: number;
}

/** Notes which shapes of queries run on this node and how long they take, and tells the cell of it now and then. */
export class ShapeLog {
  readonly #cells: Pick<Cells, 'forProject'>;
  readonly #options: ShapeLogOptions;
  readonly #now: () => number;
  readonly #tallies = new LRUCache<string, Tally>({ max: mostShapes });
  readonly #toldAt = new LRUCache<string, number>({ max: mostShapes });
  /** Collections, and until when quick calls on them are not looked at. */
  readonly #smallUntil = new LRUCache<string, number>({ max: mostShapes });
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
    this.#timer = setInterval(() => void this.flush(), flushEveryMs * (0.75 + Math.random() / 2)).unref();
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
    for (const { collection, shape } of shapes) {
      const text = JSON.stringify(shape);
      if (text.length > longestShape) continue;
      const tally = this.#tallyOf({ project: call.project, collection, shape, text });
      tally.calls += weight;
      tally.durations[bucketOf(call.ms)]! += weight;
      // Of a small collection behind a link nobody can say that it made the call slow.
      if (isSlow && shape === shapes[0]!.shape) tally.fromDocuments = 0;
    }
  }

  #mayBeLarge({ project, collection, documents }: NotedCall): boolean {
    if (documents !== undefined) return documents >= largeFrom;
    const until = this.#smallUntil.get(`${project.cell}/${project.id}/${collection}`);
    return until === undefined || until < this.#now();
  }

  /** One in eight; by steps that meet each of several queries that come in turn. */
  #isSample(): boolean {
    this.#phase = (this.#phase + 0x9e3779b1) >>> 0;
    return this.#phase < 2 ** 32 / sampling;
  }

  #tallyOf({ project, collection, shape, text }: Noted): Tally {
    const key = `${project.cell}/${project.id}/${collection}/${text}`;
    const known = this.#tallies.get(key);
    if (known) return known;
    const counts = { calls: 0, durations: noDurations(), fromDocuments: largeFrom, tries: 0 };
    const tally = { project, collection, shape, text, ...counts };
    this.#tallies.set(key, tally);
    return tally;
  }

  /** Keeps for the next flush what could not be written, together with what has come since. */
  #keep(tally: Tally): void {
    if (tally.tries + 1 === mostTries) return;
    const later = this.#tallyOf(tally);
    later.calls += tally.calls;
    for (const [at, count] of tally.durations.entries()) later.durations[at]! += count;
    later.fromDocuments = Math.min(later.fromDocuments, tally.fromDocuments);
    later.tries = tally.tries + 1;
  }

  /** Writes what was noted since the last time. Never fails: what could not be written is kept for the next time. */
  async flush(): Promise<void> {
    this.#flushing ??= this.#write().finally(() => {
      this.#flushing = undefined;
    });
    return this.#flushing;
  }

  async #write(): Promise<void> {
    const batches = Map.groupBy(this.#tallies.values(), ({ project }) => `${project.cell}/${project.id}`);
    this.#tallies.clear();
    const failures = new Map<number, number>();
    for (const batch of batches.values()) {
      const { project } = batch[0]!;
      const failed = failures.get(project.cell) ?? 0;
      // A database that is away is not asked by each project in turn.
      if (failed < mostFailures && (await this.#save(project, batch))) continue;
      failures.set(project.cell, failed + 1);
      for (const tally of batch) this.#keep(tally);
    }
  }

  async #save(project: NotedProject, batch: readonly Tally[]): Promise<boolean> {
    const seen = batch.map(({ collection, shape, text, calls, durations, fromDocuments }) => {
      return { collection, shape, hash: sha256(text).toString('hex'), calls, durations, fromDocuments };
    });
    try {
      const kept = await saveShapes(this.#cells.forProject(project), seen);
      this.#noteSmall(project, seen, kept);
      // What would be no reason for an index yet must not use up the next minute.
      const frequent = new Set(
        kept
          .filter(({ documents, calls }) => documents >= ownTableFrom && calls >= enoughCalls)
          .map(({ collection, hash }) => `${collection}/${hash}`),
      );
      const slow = seen.filter(
        ({ shape, durations, collection, hash }) =>
          frequent.has(`${collection}/${hash}`) && medianOf(durations)! > quickMs && canBeHelped(shape),
      );
      for (const number of new Set(slow.map(({ collection }) => collection)))
        await this.#tell(project, number);
      return true;
    } catch (error) {
      const text = 'noting the shapes of queries failed; it is tried again';
      this.#options.log.warn({ err: error, project: project.id }, text);
      return false;
    }
  }

  /** Of a collection that is too small for what was seen nothing is kept. */
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
        'slow queries could not be told',
      );
    }
  }
}
