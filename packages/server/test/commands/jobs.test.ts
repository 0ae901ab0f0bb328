// @postgres newest
import { expect, test } from 'vitest';
import { runJobsCommand } from '../../src/commands/jobs.ts';
import { run as query } from '../../src/platform/db/pool.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { mailApp, useMailApp } from '../support/people/mail-app.ts';
import { newPerson } from '../support/people/people.ts';

const t = useMailApp({ JOB_CONCURRENCY: '0' });

const jobs = (...args: string[]) => runJobsCommand(t.config, args);
const cellOf = () => t.projects[0].cell;

test('without jobs, the lists say so', async () => {
  expect(await jobs()).toBe('No job is waiting.');
  expect(await jobs('list', '--failed')).toBe('No job has failed.');
  expect(await jobs('list', '--json')).toBe('');
});

test('a mail that waits is listed with its project, and without what is in it', async () => {
  const { email } = await newPerson(t);
  const [line, ...more] = (await jobs('list')).split('\n');
  expect(more).toEqual([]);
  expect(line).toMatch(
    new RegExp(`^${cellOf()}/\\d+  send-mail  project ${t.projects[0].ref}  attempt 1 of 14 at 20`),
  );
  expect(line).not.toContain(email);
  expect(JSON.parse(await jobs('list', '--json'))).toMatchObject({ task: 'send-mail', isFailed: false });
});

test('what was given up is listed with its reason, tried again when somebody says so, and then done', async () => {
  await query(
    t.cells.pool(cellOf()),
    sql`SELECT graphile_worker.permanently_fail_jobs(ARRAY (SELECT id FROM graphile_worker.jobs), 'The server said no.')`,
  );
  const failed = await jobs('list', '--failed');
  expect(failed).toMatch(/failed after 14 attempts\n {4}The server said no\./);
  const [name] = failed.split(' ');
  expect(await jobs('retry', name!)).toBe('1 job is being retried now.');
  expect(await jobs('list', '--failed')).toBe('No job has failed.');
  await t.node({ JOB_CONCURRENCY: '1' });
  await t.mail.until(({ subject }) => subject.includes('Welcome'));
});

test('what nobody wants done is removed, after a question', async () => {
  const waiting = await mailApp({ JOB_CONCURRENCY: '0' });
  await using _ = waiting;
  const here = (...args: string[]) => runJobsCommand(waiting.config, args);
  await newPerson(waiting);
  await query(
    waiting.cells.pool(waiting.projects[0].cell),
    sql`SELECT graphile_worker.permanently_fail_jobs(ARRAY (SELECT id FROM graphile_worker.jobs))`,
  );
  await expect(here('remove', '--all')).rejects.toThrow('Add --yes');
  expect(await here('remove', '--all', '--yes')).toBe('1 job is removed.');
  expect(await here()).toBe('No job is waiting.');
});

test.each([
  { args: ['retry'], said: 'or use --all' },
  { args: ['retry', '1/2', '--all'], said: 'or use --all' },
  { args: ['retry', 'seven'], said: '"seven" is not a job' },
  { args: ['retry', '1/999999'], said: '1 of these jobs do not exist' },
  { args: ['retry', '9/1'], said: '1 of these jobs do not exist' },
  { args: ['dance'], said: 'There is no "plinth jobs dance"' },
])('$args is refused, and says why', async ({ args, said }) => {
  await expect(jobs(...args)).rejects.toThrow(said);
});
