import { expect, test } from 'vitest';
import { noteDays, readUsageDays } from '../../../src/features/control/usage/index.ts';
import { holdingsOf } from '../../../src/node/quota-sources.ts';
import { Client } from '../../support/client.ts';
import { newCollection, newDocument } from '../../support/data/new-collection.ts';
import { newPerson } from '../../support/people/people.ts';
import { projectWithLimits } from '../../support/project-with-limits.ts';
import { expire } from '../../support/rows.ts';
import { useTestApp } from '../../support/test-app.ts';

const dayMs = 86_400_000;
const t = useTestApp();

const dayOf = (daysAgo: number) => new Date(Date.now() - daysAgo * dayMs).toISOString().slice(0, 10);

test('what a project holds is noted once an hour, if something was written in it', async () => {
  const [{ ref, apiKey, cell }] = t.projects;
  const project = await projectWithLimits(t.control, ref);
  const db = t.cells.forProject(project);
  const pool = t.cells.pool(cell);
  const { path } = await newCollection(t.api);
  await newDocument(t.api, path, { title: 'Hello' });
  await newPerson(t);
  // Nobody but this test counts from here on.
  await t.app.stop();
  await pool.query('TRUNCATE cell.usage_hours, cell.usage_days');
  const range = (days: number) => ({ from: new Date(Date.now() - days * dayMs), to: new Date() });
  const note = (known: boolean) =>
    noteDays(pool, {
      findProject: async () => (known ? project : undefined),
      holdingsOf,
      isStopped: () => false,
    });
  await note(true);
  expect(await readUsageDays(db, range(30))).toEqual([]);
  const add = (hour: Date, reads: number, writes: number) =>
    pool.query(
      `INSERT INTO cell.usage_hours VALUES ($1, $2, $3, $4, 0, 0, 0, 0, 0, 0, '{0,0,0,0,0,0,0,0,0,0,0,0}')
       ON CONFLICT (project_id, hour) DO UPDATE SET writes = excluded.writes`,
      [project.id, hour, reads, writes],
    );
  const hour = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000);
  await add(hour, 5, 0);
  await note(true);
  expect(await readUsageDays(db, range(30))).toEqual([]);
  await add(hour, 5, 1);
  // A project that was deleted meanwhile leaves no row.
  await note(false);
  expect(await readUsageDays(db, range(30))).toEqual([]);
  await note(true);
  const today = { day: dayOf(0), documents: 1, documentBytes: 256, storageBytes: 0, users: 1 };
  expect(await readUsageDays(db, range(30))).toEqual([today]);

  const { app, url } = await t.node();
  await newDocument(new Client(url, { 'x-api-key': apiKey }), path, { title: 'Again' });
  await app.stop();
  await note(true);
  expect(await readUsageDays(db, range(30))).toEqual([today]);
  await pool.query(`UPDATE cell.usage_days SET noted_at = now() - interval '1 hour'`);
  await note(true);
  expect(await readUsageDays(db, range(30))).toEqual([{ ...today, documents: 2, documentBytes: 512 }]);

  await pool.query(
    `INSERT INTO cell.usage_days SELECT project_id, day - past, past, past, past, past, noted_at
     FROM cell.usage_days, unnest(ARRAY[40, 50, 500]) AS past`,
  );
  expect((await readUsageDays(db, range(30))).map(({ day }) => day)).toEqual([dayOf(40), dayOf(0)]);
  await expect(readUsageDays(db, range(500))).rejects.toMatchObject({ code: 'invalid_query' });
  await expire(pool, 'cell.usage_days');
  const { rows } = await pool.query('SELECT count(*)::int AS count FROM cell.usage_days');
  expect(rows).toEqual([{ count: 3 }]);
});
