import { setTimeout as sleep } from 'node:timers/promises';
import type { ProjectDb } from '../../../platform/db/project-db.ts';

/**
 * Whoever wants to write a document that is just being worked on waits for all that are with it. So a chunk is as many
 * documents as take about this long, large or small. The rest in between is for others, who need the disk, too.
 */
const chunk = { first: 20, least: 5, most: 1000, goalMs: 50, restMs: 5 };
/** How long to wait before looking again for documents that others hold: longer each time. */
const heldMs = { first: 20, most: 1000 };
const reportEveryMs = 500;

/** What one step did. */
export interface Chunk {
  /** The last document that it found; null if there was none. */
  readonly last: string | null;
  readonly count: number;
  /** How long PostgreSQL took. */
  readonly ms: number;
}

/** How long work on all documents of a collection is done. */
export interface ChunkOptions {
  readonly signal: AbortSignal;
  /** The same project over a connection without a time limit. */
  readonly unhurried?: ProjectDb;
  /** Hears now and then how far it is. */
  readonly onProgress?: (progress: { done: number; total: number }) => Promise<void>;
}

interface ChunkedWork {
  readonly signal: AbortSignal;
  /** The first document that is left to do. */
  readonly findLeft: () => Promise<string | null>;
  /** Does some, from this document on, that nobody holds; undefined if the collection is gone. */
  readonly doSome: (from: string, limit: number) => Promise<Chunk | undefined>;
  /** Hears now and then how many are done. */
  readonly onProgress?: (done: number) => Promise<void>;
  /** Called once some are done. */
  readonly onFirst?: (() => Promise<void>) | undefined;
}

/** Does all documents chunk by chunk until none is left, or the signal stops it; false if the collection is gone. */
export async function inChunks({
  signal,
  findLeft,
  doSome,
  onProgress,
  onFirst,
}: ChunkedWork): Promise<boolean> {
  let done = 0;
  let reportedAt = 0;
  let limit = chunk.first;
  let waitMs = heldMs.first;
  let from = await findLeft();
  while (!signal.aborted && from !== null) {
    const did = await doSome(from, limit);
    if (!did) return false;
    if (did.last === null) {
      // Others held the rest when its turn came.
      from = await findLeft();
      if (from !== null) await sleep(waitMs);
      waitMs = Math.min(2 * waitMs, heldMs.most);
      continue;
    }
    from = did.last;
    waitMs = heldMs.first;
    if (done === 0) await onFirst?.();
    done += did.count;
    limit = nextLimit(limit, did.ms);
    if (performance.now() - reportedAt > reportEveryMs) {
      await onProgress?.(done);
      reportedAt = performance.now();
    }
    await sleep(chunk.restMs);
  }
  return true;
}

/** A size that takes about as long as it should: at most twice the last one, at least half of it. */
function nextLimit(limit: number, tookMs: number): number {
  const factor = Math.min(Math.max(chunk.goalMs / tookMs, 0.5), 2);
  return Math.min(Math.max(Math.round(limit * factor), chunk.least), chunk.most);
}
