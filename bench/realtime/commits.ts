import { createPool } from '../../packages/server/src/platform/db/pool.ts';
import { newId } from '../../packages/server/src/platform/ids.ts';
import { scriptOf } from '../speed/script.ts';
import { worksFor } from '../speed/works.ts';
import { runWrk } from '../speed/wrk.ts';
import { type Delay, measureDelay } from './delay.ts';
import type { Stage } from './stage.ts';

/** Those that commit at the same time. */
const writers = 24;
const readers = 4;
const warmUpS = 2;
const insert = `INSERT INTO cell.documents (project_id, collection, id, updated_at, data)
  VALUES ($1, 2, $2, 0, $3)`;

export interface Commits {
  readonly delay: Delay;
  /** Of what the node has to do meanwhile. */
  readonly readsPerSecond: number;
}

/**
 * Every document is a commit of its own. They are made past the node, which would share commits, while it answers reads as
 * fast as it can.
 */
export async function measureCommits(
  stage: Stage,
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<Commits> {
  const { databaseUrl, projectId, idsFile, apiKey } = stage;
  const pool = createPool(databaseUrl, { size: writers, statementTimeoutMs: 60_000 }, console);
  const { request } = worksFor(1).find(({ name }) => name === 'point read')!;
  const script = scriptOf({ request, idsFile, headers: { 'X-API-Key': apiKey } });
  // The collection is not counted: all would wait for the same row.
  const create = ([document]: readonly unknown[]) =>
    pool.query({ name: 'commit', text: insert, values: [projectId, newId(2), JSON.stringify(document)] });
  try {
    const [delay, reads] = await Promise.all([
      measureDelay(stage, { perSecond, batch: 1, seconds, create }),
      runWrk({ url: stage.url, connections: readers, seconds: warmUpS + seconds, script }),
    ]);
    return { delay, readsPerSecond: reads.perSecond };
  } finally {
    await pool.end();
  }
}
