import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from '../packages/server/src/platform/db/pool.ts';
import type { Located } from '../packages/server/test/data/indexes/move-base.ts';
import type { World } from '../packages/server/test/data/indexes/move-world.ts';

/** Where the work on the collection is. */
interface Stage {
  readonly home: 'shared' | 'moving' | 'own';
  /** Share of the documents that have moved. */
  readonly moved: number;
  /** What PostgreSQL says it does while it makes the index. */
  readonly building: string | null;
  readonly isAnalyzing: boolean;
  readonly isReady: boolean;
}

/** A moment to kill the worker at, and how to know that it has passed. */
interface KillPoint {
  readonly name: string;
  readonly isReached: (stage: Stage) => boolean;
  readonly isPassed: (stage: Stage) => boolean;
  /** A random part of this is waited for, so that it hits anything there is. */
  readonly spreadMs: number;
}

const isBuilt = ({ home, building }: Stage) => home === 'own' && building !== null;

const inMove = (share: number): KillPoint => ({
  name: `after ${Math.round(share * 100)} % of the move`,
  isReached: ({ home, moved }) => home === 'moving' && moved >= share,
  isPassed: ({ home }) => home === 'own',
  spreadMs: 300,
});
const inBuild: KillPoint = {
  name: 'while the index is built',
  isReached: isBuilt,
  isPassed: () => false,
  spreadMs: 400,
};
const inAnalysis = (isAfterBuild: boolean): KillPoint => ({
  name: isAfterBuild ? 'during ANALYZE after the index' : 'during ANALYZE after the move',
  isReached: ({ home, isAnalyzing }) => home === 'own' && isAnalyzing,
  isPassed: (stage) => !isAfterBuild && isBuilt(stage),
  spreadMs: 0,
});
const points: readonly KillPoint[] = [
  { name: 'at the start', isReached: () => true, isPassed: () => false, spreadMs: 200 },
  {
    name: 'between the start of the move and its first documents',
    isReached: ({ home }) => home === 'moving',
    isPassed: ({ home }) => home === 'own',
    spreadMs: 0,
  },
  ...[0.02, 0.25, 0.5, 0.75, 0.98].map(inMove),
  inAnalysis(false),
  inBuild,
  inAnalysis(true),
];

/** Kills the worker at as many points, and has another take over each time, until the index is ready. */
export async function killAtPoints(
  { pool, located, world }: { pool: Pool; located: Located; world: World },
  kills: number,
  startWorker: () => Promise<ChildProcess>,
): Promise<string[]> {
  const done: string[] = [];
  for (let at = 0; at < kills; at += 1) {
    const point = points[Math.floor((at * points.length) / kills)]!;
    const worker = await startWorker();
    const stage = await untilStage(pool, located, world, point);
    if (stage.isReady) {
      await end(worker, 'SIGTERM');
      return done;
    }
    await sleep(Math.random() * point.spreadMs);
    await end(worker, 'SIGKILL');
    done.push(`${point.name}: ${describe(await stageOf(pool, located, world))}`);
    await forgetWorkers(pool);
  }
  await startWorker();
  return done;
}

async function end(worker: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  const ended = once(worker, 'exit');
  worker.kill(signal);
  await ended;
}

function describe({ home, moved, building, isAnalyzing }: Stage): string {
  const doing = building ?? (isAnalyzing ? 'analyzing' : '');
  return `${home}, ${(moved * 100).toFixed(1)} % moved${doing === '' ? '' : `, ${doing}`}`;
}

async function untilStage(pool: Pool, located: Located, world: World, point: KillPoint): Promise<Stage> {
  // Until the worker has the job nothing that is seen is its work.
  for (let tries = 0; tries < 6000 && !(await isTaken(pool)); tries += 1) await sleep(5);
  for (let tries = 0; tries < 120_000; tries += 1) {
    const stage = await stageOf(pool, located, world);
    if (stage.isReady || point.isReached(stage) || point.isPassed(stage)) return stage;
    await sleep(3);
  }
  throw new Error(`It never came to this: ${point.name}`);
}

async function isTaken(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query('SELECT FROM graphile_worker.jobs WHERE locked_by IS NOT NULL');
  return rows.length > 0;
}

async function stageOf(pool: Pool, { projectId, number }: Located, world: World): Promise<Stage> {
  const { rows } = await pool.query<Omit<Stage, 'moved'>>(
    `SELECT home,
      (SELECT phase FROM pg_stat_progress_create_index LIMIT 1) AS building,
      EXISTS (SELECT FROM pg_stat_progress_analyze WHERE relid = to_regclass($3)) AS "isAnalyzing",
      EXISTS (SELECT FROM cell.indexes WHERE project_id = $1 AND collection = $2 AND state <> 'building') AS "isReady"
    FROM cell.collections WHERE project_id = $1 AND number = $2`,
    [projectId, number, `own.documents_${projectId}_${number}`],
  );
  return { ...rows[0]!, moved: world.movedTo / world.ledger.base.count };
}

/** What the nodes do by themselves 20 s after a worker has fallen silent: the bench need not wait for it ten times. */
async function forgetWorkers(pool: Pool): Promise<void> {
  await pool.query(
    `SELECT graphile_worker.force_unlock_workers(ARRAY (
      SELECT DISTINCT locked_by FROM graphile_worker.jobs WHERE locked_by IS NOT NULL))`,
  );
}
