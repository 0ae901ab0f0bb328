import { setTimeout as sleep } from 'node:timers/promises';
import { onlyRow } from '../db/only-row.ts';
import { type Pool, run } from '../db/pool.ts';
import { sql } from '../db/sql.ts';
import { readVisibility, type Visibility } from './visibility.ts';

/** About ten seconds. */
const mostLooks = 500;
const longestPauseMs = 20;

/** Which commits readers see. A commit can be in the log a moment before: they would still read what was there earlier. */
export class VisibleCommits {
  readonly #pool: Pool;
  /** What was seen at the last look. Commits that waited together need only one. */
  #seen: Visibility | undefined;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Resolves when readers see what the transaction wrote. */
  async until(xid: number): Promise<void> {
    if (this.#seen?.sees(xid)) return;
    for (let looks = 0; looks < mostLooks; looks += 1) {
      const rows = await run<{ seen: string }>(this.#pool, sql`SELECT pg_current_snapshot()::text AS seen`);
      this.#seen = readVisibility(onlyRow(rows).seen);
      if (this.#seen.sees(xid)) return;
      await sleep(Math.min(looks, longestPauseMs));
    }
    throw new Error(`Transaction ${xid} is in the log, but readers do not see it.`);
  }
}
