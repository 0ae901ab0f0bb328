import type { CallCost } from '../scale/units.ts';
import { cpuMicrosecondsOf, watchCpu } from '../speed/cpu.ts';
import { runWrk } from '../speed/wrk.ts';
import type { Stage } from './stage.ts';

interface Turn {
  readonly connections: number;
  readonly seconds: number;
  /** Run first, and not counted: a process that was idle has cold caches. */
  readonly warm: string;
  readonly script: string;
}

const warmS = 2;

/** What a request costs when so many are made at once; and how long a statement took. */
export async function measureCost(
  stage: Stage,
  { connections, seconds, warm, script }: Turn,
): Promise<{ readonly cost: CallCost; readonly statementMs: number }> {
  const { node, redis, postgres } = stage;
  await runWrk({ url: node.url, connections, seconds: warmS, script: warm });
  const before = await lookAt(stage);
  const redisBefore = await cpuMicrosecondsOf(redis.pid);
  const cpu = await watchCpu(node.pid, postgres.folder);
  const { perSecond, p50Ms, failures } = await runWrk({ url: node.url, connections, seconds, script });
  if (failures > 0) throw new Error(`${failures} requests failed.`);
  const count = perSecond * seconds;
  const { service, database } = await cpu(count);
  const spentByRedis = (await cpuMicrosecondsOf(redis.pid)) - redisBefore;
  const after = await lookAt(stage);
  const groups = after.shared.count - before.shared.count;
  const statements = after.statements.count - before.statements.count;
  const cost = {
    node: round(service),
    database: round(database),
    redis: round(spentByRedis / count),
    perSecond: Math.round(perSecond),
    p50Ms: round(p50Ms, 2),
    members: groups < count / 1000 ? 1 : round((after.shared.sum - before.shared.sum) / groups),
    wal: Math.round((after.wal - before.wal) / count),
  };
  return {
    cost,
    statementMs: round((1000 * (after.statements.sum - before.statements.sum)) / statements, 2),
  };
}

async function lookAt({ metricsUrl, pool }: Stage) {
  const [text, { rows }] = await Promise.all([
    fetch(metricsUrl).then((answer) => answer.text()),
    pool.query<{ wal: number }>(`SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float AS wal`),
  ]);
  return {
    wal: rows[0]!.wal,
    shared: histogram(text, 'plinth_shared_statement_members'),
    statements: histogram(text, 'plinth_statement_seconds'),
  };
}

/** The sum and the count of a histogram, of all labels together. */
function histogram(text: string, name: string) {
  const total = (part: string) =>
    Array.from(text.matchAll(new RegExp(`^${name}_${part}(?:\\{.*\\})? (\\S+)`, 'gm')), ([, value]) =>
      Number(value),
    ).reduce((sum, value) => sum + value, 0);
  return { sum: total('sum'), count: total('count') };
}

export function round(value: number, digits = 1): number {
  return Number(value.toFixed(digits));
}
