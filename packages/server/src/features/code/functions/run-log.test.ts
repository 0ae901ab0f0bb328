import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { Project } from '../../../calls/index.ts';
import type { Cells } from '../../../platform/db/cells.ts';
import { RunLog } from './run-log.ts';
import type { Outcome, RunRecord } from './run-store.ts';

const project = (id: string) => ({ id, cell: 1 }) as Project;
const run = (outcome: Outcome, bytes: number): RunRecord => ({
  id: 'r',
  at: '2026-01-01T00:00:00.000Z',
  function: 'f',
  version: 1,
  kind: 'http',
  outcome,
  status: 200,
  ms: 1,
  start: 'warm',
  error: null,
  logs: bytes === 0 ? [] : [{ at: 0, level: 'info', text: 'x'.repeat(bytes) }],
  cause: null,
});

/** A log whose cell keeps what is written to it. */
function openLog() {
  const written: (RunRecord & { project_id: string })[] = [];
  const pool = {
    query: async ({ values }: { values: unknown[] }) => {
      written.push(...(JSON.parse(String(values[0])) as typeof written));
      return { rows: [] };
    },
  };
  const cells = { numbers: [1], lookupPool: () => pool } as unknown as Cells;
  return { log: new RunLog(cells, pino({ level: 'silent' })), written };
}

test('a project keeps a share of its runs: past it failures lose their logs, and successes are left out', async () => {
  const { log, written } = openLog();
  for (let count = 0; count < 200; count += 1) log.note(project('1'), run('ok', 60_000));
  log.note(project('1'), run('failed', 60_000));
  log.note(project('2'), run('ok', 60_000));
  await log.flush();
  const bytes = written.flatMap(({ logs }) => logs).reduce((sum, { text }) => sum + text.length, 0);
  expect(bytes).toBeLessThan(4.5 * 1_048_576);
  expect(written.filter(({ outcome }) => outcome === 'failed')).toMatchObject([{ logs: [] }]);
  expect(written.at(-1)).toMatchObject({ project_id: '2', logs: [{ level: 'info' }] });
});

test('what waits for a cell is bounded in bytes, whoever it is of', async () => {
  const { log, written } = openLog();
  for (let id = 0; id < 1000; id += 1) log.note(project(String(id)), run('ok', 60_000));
  await log.flush();
  expect(written.length * 60_000).toBeLessThan(33 * 1_048_576);
  expect(written.length).toBeGreaterThan(400);
});
