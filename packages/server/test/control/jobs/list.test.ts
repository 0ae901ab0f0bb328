// @postgres newest
import { expect, test } from 'vitest';
import { setProjectSecret } from '../../../src/features/control/projects/index.ts';
import { openVault } from '../../../src/platform/crypto/vault.ts';
import { sql } from '../../../src/platform/db/sql.ts';
import { addJob } from '../../../src/platform/jobs/add-job.ts';
import { type FlowProject, flowProject, signUpAt } from '../../support/people/actors.ts';
import { useMailApp } from '../../support/people/mail-app.ts';
import { putOff } from '../../support/put-off.ts';

const t = useMailApp();

const jobsOf = async ({ api }: FlowProject, query = '') => (await api.get(`/jobs${query}`)).body;

/** Where the data of a project is. */
async function locate({ ref }: FlowProject): Promise<{ id: string; cell: number }> {
  const { rows } = await t.cells
    .pool(1)
    .query<{ id: string; cell: number }>('SELECT id, cell FROM control.projects WHERE ref = $1', [ref]);
  return rows[0]!;
}

/** Its mails wait: nobody answers at the address of its mail server. */
async function stuckProject(): Promise<FlowProject> {
  const project = await flowProject(t, { configs: { SEND_WELCOME_EMAIL: true } });
  const value = { host: '127.0.0.1', port: 9, tls: 'none', from: 'app@project.example' };
  await setProjectSecret(t.control, openVault(t.config), { ref: project.ref, name: 'mail', value });
  return project;
}

test('the jobs of a project are listed until they are done, and nobody else’s', async () => {
  const [stuck, quiet] = [await stuckProject(), await flowProject(t)];
  await signUpAt(t, stuck);
  await putOff(stuck);
  const { rows } = await stuck.pool.query<{ attempts: number }>(
    `SELECT attempts FROM graphile_worker.jobs WHERE key LIKE $1 || '-%'`,
    [stuck.ref],
  );
  const { data, total, hasMore } = await jobsOf(stuck);
  expect({ total, hasMore }).toEqual({ total: 1, hasMore: false });
  expect(data).toEqual([
    {
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      kind: 'mail',
      status: 'waiting',
      collection: null,
      attempts: rows[0]?.attempts,
      createdAt: expect.stringMatching(/Z$/),
      dueAt: expect.stringMatching(/Z$/),
    },
  ]);
  expect((await jobsOf(quiet)).data).toEqual([]);
  await stuck.pool.query(
    `UPDATE graphile_worker._private_jobs SET attempts = max_attempts WHERE key LIKE $1 || '-%'`,
    [stuck.ref],
  );
  expect((await jobsOf(stuck, '?status=failed')).data).toMatchObject([{ status: 'failed', dueAt: null }]);
  expect((await jobsOf(stuck, '?status=waiting')).data).toEqual([]);
});

test('a job of another project is not listed even if its name begins like one of ours', async () => {
  const [ours, other] = [await stuckProject(), await flowProject(t)];
  const db = t.cells.forProject(await locate(other));
  await addJob(db, { task: 'later', key: `${ours.ref}-x`, content: {}, isAwaited: false });
  expect((await jobsOf(ours)).data).toEqual([]);
});

test('work on a collection names it; what was deleted is a removal until it is gone', async () => {
  const project = await flowProject(t);
  await project.api.post('/collections', { name: 'books' });
  const { number } = (await project.api.get('/collections')).body.data[0];
  const location = await locate(project);
  const db = t.cells.forProject(location);
  await db.transaction(async (db) => {
    const key = `${project.ref}-tend-${number}`;
    const content = { collection: number };
    await addJob(db, { task: 'tend-collection', key, content, isAwaited: false });
    // Nobody does it before it was looked at.
    await db.query(sql`UPDATE graphile_worker._private_jobs SET run_at = now() + interval '1 hour'
      WHERE key = ${key} AND ${db.scope}::text IS NOT NULL`);
  });
  const { data } = await jobsOf(project);
  expect(data.filter(({ kind }: { kind: string }) => kind === 'collection')).toMatchObject([
    { status: 'waiting', collection: 'books' },
  ]);
  // Housekeeping may find it before we look.
  const isRemoving = async () => {
    await project.pool.query(
      'INSERT INTO cell.purges (project_id, collection) VALUES ($1, 999) ON CONFLICT DO NOTHING',
      [location.id],
    );
    return (await jobsOf(project)).data.some(({ kind }: { kind: string }) => kind === 'removal');
  };
  await expect.poll(isRemoving).toBe(true);
});

test('more jobs than fit a page are read page by page, each once', async () => {
  const project = await flowProject(t);
  const db = t.cells.forProject(await locate(project));
  for (let number = 0; number < 7; number += 1)
    await addJob(db, { task: 'later', key: `${project.ref}-${number}`, content: {}, isAwaited: false });
  const seen: string[] = [];
  let cursor = '';
  for (const size of [3, 3, 1]) {
    const page = await jobsOf(project, `?limit=3${cursor}`);
    expect([page.data.length, page.total, page.hasMore]).toEqual([size, 7, size === 3]);
    seen.push(...page.data.map(({ id }: { id: string }) => id));
    cursor = `&cursor=${page.nextCursor}`;
  }
  expect(cursor).toBe('&cursor=null');
  expect(new Set(seen).size).toBe(7);
});

test('what the list does not take is refused', async () => {
  const project = await flowProject(t);
  for (const query of ['status=lost', 'limit=0', 'limit=101', 'offset=1', 'cursor=later'])
    expect(await project.api.get(`/jobs?${query}`)).toFailWith(400, 'invalid_query');
});
