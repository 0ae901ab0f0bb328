import { parseArgs } from 'node:util';
import type { Pool } from 'pg';
import type { Config } from '../platform/config/config.ts';
import type { Cells } from '../platform/db/cells.ts';
import { type JobRow, listJobs, removeJobs, retryJobs } from '../platform/jobs/manage-jobs.ts';
import { CommandError, UsageError } from './usage.ts';
import { withCells } from './with-cells.ts';

/** `plinth jobs …`: jobs that are waiting, and jobs that failed. Returns the lines to print. */
export async function runJobsCommand(config: Config, args: string[]): Promise<string> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      failed: { type: 'boolean', default: false },
      all: { type: 'boolean', default: false },
      yes: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  const [action = 'list', ...names] = positionals;
  return withCells(config, async (cells) => {
    switch (action) {
      case 'list':
        return list(cells, { isFailedOnly: values.failed, asJson: values.json });
      case 'retry':
        return change(cells, { names, isAll: values.all }, retryJobs, 'is being retried now');
      case 'remove':
        if (!values.yes) throw new UsageError('Removed jobs never run. Add --yes to continue.');
        return change(cells, { names, isAll: values.all }, removeJobs, 'is removed');
      default:
        throw new UsageError(`There is no "plinth jobs ${action}". Actions: list, retry and remove.`);
    }
  });
}

async function list(
  cells: Cells,
  { isFailedOnly, asJson }: { isFailedOnly: boolean; asJson: boolean },
): Promise<string> {
  const lines: string[] = [];
  for (const cell of cells.numbers) {
    for (const job of await listJobs(cells.pool(cell), isFailedOnly)) {
      lines.push(asJson ? JSON.stringify({ job: `${cell}/${job.id}`, ...job }) : describe(cell, job));
    }
  }
  if (lines.length > 0 || asJson) return lines.join('\n');
  return isFailedOnly ? 'No job has failed.' : 'No job is waiting.';
}

function describe(cell: number, job: JobRow): string {
  const state = job.isFailed
    ? `failed after ${job.attempts} attempts`
    : job.isRunning
      ? 'running'
      : `attempt ${job.attempts + 1} of ${job.maxAttempts} at ${job.runAt.toISOString()}`;
  const [error = ''] = job.lastError?.split('\n', 1) ?? [];
  const reason = job.lastError === null ? '' : `\n    ${error.slice(0, 300)}`;
  return `${cell}/${job.id}  ${job.task}  project ${job.project}  ${state}${reason}`;
}

/** Jobs are named `<cell>/<number>`, as the list shows them; --all means every job that was given up. */
async function change(
  cells: Cells,
  { names, isAll }: { names: readonly string[]; isAll: boolean },
  work: (pool: Pool, ids: readonly string[]) => Promise<number>,
  done: string,
): Promise<string> {
  if (isAll === names.length > 0) throw new UsageError('Name jobs as in the list (1/42), or use --all.');
  let count = 0;
  for (const cell of cells.numbers) {
    const pool = cells.pool(cell);
    if (isAll) count += await changeAll(pool, work);
    else count += await work(pool, idsIn(cell, names));
  }
  if (count < names.length) {
    throw new CommandError(
      `${names.length - count} of these jobs do not exist or are running right now. See: plinth jobs list`,
    );
  }
  return `${count} ${count === 1 ? 'job' : 'jobs'} ${count === 1 ? done : done.replace('is ', 'are ')}.`;
}

async function changeAll(
  pool: Pool,
  work: (pool: Pool, ids: readonly string[]) => Promise<number>,
): Promise<number> {
  let count = 0;
  for (;;) {
    const ids = (await listJobs(pool, true)).map(({ id }) => id);
    const changed = ids.length === 0 ? 0 : await work(pool, ids);
    count += changed;
    if (changed === 0) return count;
  }
}

function idsIn(cell: number, names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const [, number, id] = /^(\d{1,4})\/(\d{1,18})$/.exec(name) ?? [];
    if (number === undefined || id === undefined)
      throw new UsageError(`"${name}" is not a job: name jobs as in the list, such as 1/42.`);
    return Number(number) === cell ? [id] : [];
  });
}
