import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createPool } from '../../packages/server/src/platform/db/pool.ts';
import { percentile } from '../percentiles.ts';
import { articleOf } from './documents.ts';
import type { Rate } from './wrk.ts';

/** Statements for pgbench, each with how often it is chosen. */
export type Script = readonly { readonly weight: number; readonly text: string }[];

const batch = 10_000;

/** The ids of the bare table can be counted out: pgbench knows numbers only. */
export const bareId = (n: string) => `('00000000-0000-7000-8000-' || lpad(to_hex(${n}::int), 12, '0'))::uuid`;

/**
 * The table that the service keeps documents in, with the statistics that it makes for such lists, and nothing around
 * it: no count to keep, no other index.
 */
export async function fillBare(databaseUrl: string, documents: number): Promise<void> {
  const pool = createPool(databaseUrl, { size: 1, statementTimeoutMs: 600_000 }, console);
  await pool.query(`
    CREATE TABLE documents (
      project_id bigint NOT NULL, collection int NOT NULL, id uuid NOT NULL, version int NOT NULL DEFAULT 1,
      updated_at bigint NOT NULL, data jsonb NOT NULL, PRIMARY KEY (project_id, collection, id)
    ) WITH (fillfactor = 85);
    CREATE STATISTICS documents_status ON (data->'status') FROM documents;
    CREATE STATISTICS documents_views ON (data->'views') FROM documents`);
  for (let at = 0; at < documents; at += batch) {
    const numbers = Array.from({ length: Math.min(batch, documents - at) }, (_, n) => at + n);
    await pool.query(
      `INSERT INTO documents (project_id, collection, id, updated_at, data)
      SELECT 1, 1, ${bareId('n')}, 0, data FROM ROWS FROM (unnest($1::int[]), jsonb_array_elements($2::jsonb)) AS given (n, data)`,
      [numbers, JSON.stringify(numbers.map(articleOf))],
    );
  }
  await pool.query('VACUUM ANALYZE documents');
  await pool.end();
}

/** Drives PostgreSQL with nothing between: prepared statements, in which `:article` is the JSON of one. */
export async function runPgbench(
  databaseUrl: string,
  script: Script,
  { clients, seconds }: { clients: number; seconds: number },
): Promise<Rate> {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-pgbench-'));
  try {
    const files = await Promise.all(
      script.map(async ({ text, weight }, at) => {
        const file = join(folder, `${at}.sql`);
        await writeFile(file, text);
        return ['-f', `${file}@${weight}`];
      }),
    );
    const args = ['-n', '-M', 'prepared', '-c', clients, '-j', 1, '-T', seconds, ...files.flat()].map(String);
    const variables = ['-D', `article=${JSON.stringify(articleOf(1))}`];
    const log = ['-l', '--log-prefix', join(folder, 'log'), '--sampling-rate', '0.1'];
    const { stdout } = await promisify(execFile)('pgbench', [...args, ...variables, ...log, databaseUrl]);
    const times = await timesIn(folder);
    const perSecond = Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
    if (Number.isNaN(perSecond))
      throw new Error(
        `${clients} clients of pgbench took longer than ${seconds} s to connect. Give more --seconds.`,
      );
    return {
      perSecond,
      p50Ms: percentile(times, 0.5) / 1000,
      p99Ms: percentile(times, 0.99) / 1000,
      failures: Number(/number of failed transactions: (\d+)/.exec(stdout)?.[1] ?? 0),
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Of a sample of the transactions: how long they took, in microseconds. */
async function timesIn(folder: string): Promise<number[]> {
  const logs = (await readdir(folder)).filter((name) => name.startsWith('log'));
  const texts = await Promise.all(logs.map((name) => readFile(join(folder, name), 'utf8')));
  return texts.flatMap((text) =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => Number(line.split(' ')[2])),
  );
}
