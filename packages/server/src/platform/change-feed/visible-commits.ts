import { setTimeout as sleep } from 'node:timers/promises';
import { onlyRow } from '../db/only-row.ts';
import { type Pool, run } from '../db/pool.ts';
import { sql } from '../db/sql.ts';
import { ownTimeline } from './server-log.ts';
import { readVisibility, type Visibility } from './visibility.ts';

/** A commit that waits for its standby may wait for hours. */
const longestPauseMs = 100;

/** A look at what readers of a server see. */
const look = sql`SELECT pg_current_snapshot()::text AS seen, ${ownTimeline} AS timeline`;

/**
 * Which commits readers see. A commit can be in the log before: for a moment, or for as long as it waits for a synchronous
 * standby. Readers would still find what was there earlier, and if the server is lost meanwhile it never happened.
 */
export class VisibleCommits {
  readonly #pool: Pool;
  readonly #timeline: number;
  /** What was seen at the last look. Commits that waited together need only one. */
  #seen: Visibility | undefined;

  /** `timeline`: that of the server whose commits these are. */
  constructor(pool: Pool, timeline: number) {
    this.#pool = pool;
    this.#timeline = timeline;
  }

  /** Resolves when readers see what the transactions wrote. */
  async until(xids: readonly number[], signal: AbortSignal): Promise<void> {
    let unseen = this.#unseenOf(xids);
    for (let looks = 0; unseen.length > 0; looks += 1) {
      if (looks > 0) await sleep(Math.min(looks, longestPauseMs), undefined, { signal });
      signal.throwIfAborted();
      await this.#look();
      unseen = this.#unseenOf(unseen);
    }
  }

  #unseenOf(xids: readonly number[]): readonly number[] {
    return xids.filter((xid) => !this.#seen?.sees(xid));
  }

  async #look(): Promise<void> {
    const rows = await run<{ seen: string; timeline: number | null }>(this.#pool, look, 'look at commits');
    const { seen, timeline } = onlyRow(rows);
    if (timeline !== this.#timeline)
      throw new Error(
        'The changes come from a server that is no longer the primary: they are read from the new one.',
      );
    this.#seen = readVisibility(seen);
  }
}
