// @postgres newest
import { Client } from 'pg';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { DatabaseServer } from '../../../src/platform/db/database-server.ts';
import { JobRunner } from '../../../src/platform/jobs/job-runner.ts';
import { BreakableLink } from '../../support/breakable-link.ts';
import { testDatabases } from '../../support/test-databases.ts';

const add = `SELECT graphile_worker.add_job('count', payload => '{"projectId":"1"}')`;

/** A runner behind a link, whose task says when it is at work, and ends when it is told to. */
async function atWork() {
  const databases = await testDatabases();
  const link = new BreakableLink(databases.first);
  const begun = Promise.withResolvers<void>();
  const told = Promise.withResolvers<void>();
  const runner = new JobRunner(
    {
      cells: new Map([[1, new DatabaseServer(await link.open())]]),
      concurrency: 1,
      tasks: {
        count: () => {
          begun.resolve();
          return told.promise;
        },
      },
    },
    pino({ level: 'silent' }),
  );
  const client = new Client({ connectionString: databases.first });
  await client.connect();
  await client.query(add);
  runner.start();
  await begun.promise;
  return {
    link,
    runner,
    finish: told.resolve,
    jobs: async () => (await client.query('SELECT FROM graphile_worker.jobs')).rowCount,
    async [Symbol.asyncDispose]() {
      await runner.stop();
      await client.end();
      await link[Symbol.asyncDispose]();
      await databases[Symbol.asyncDispose]();
    },
  };
}

test('H5: a database that is away when a job ends does not end the process, and the job is done again', async () => {
  await using t = await atWork();
  // A rejection that nobody handles ends the process, and fails the test run.
  await t.link.cut();
  t.finish();
  await expect.poll(t.jobs).toBe(1);
  await t.link.open();
  await expect.poll(t.jobs).toBe(0);
});

test('H5: a node that stops has noted what it has done', async () => {
  await using t = await atWork();
  t.finish();
  await t.runner.stop();
  expect(await t.jobs()).toBe(0);
});
