import { beforeAll, expect, test } from 'vitest';
import { getProject } from '../../../src/features/control/projects/index.ts';
import { Client } from '../../support/client.ts';
import { newEmail } from '../../support/people/people.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();
let nodes: string[];
beforeAll(async () => {
  nodes = [t.url, (await t.node()).url];
});

/** A project of its own: clients on both nodes, and what the service and the table say of its users. */
async function emptyProject() {
  const { ref, api, apiKey, cell } = await t.createProject();
  const { id } = await getProject(t.control, ref);
  const doors = nodes.map((url) => new Client(`${url}/p/${ref}`));
  const servers = nodes.map((url) => new Client(url, { 'x-api-key': apiKey }));
  return {
    door: (n: number) => doors[n % doors.length]!,
    server: (n: number) => servers[n % servers.length]!,
    total: async (): Promise<number> => (await api.get('/auth-collections/users?limit=1')).body.total,
    rows: async (): Promise<number> => {
      const { rows } = await t.cells
        .pool(cell)
        .query('SELECT count(*)::int AS users FROM cell.app_users WHERE project_id = $1', [id]);
      return rows[0].users;
    },
  };
}

const times = <Result>(count: number, make: (n: number) => Result): Result[] =>
  Array.from({ length: count }, (_, n) => make(n));

test('the total is exact while users sign up and are deleted in parallel on two nodes', async () => {
  const project = await emptyProject();
  expect(await project.total()).toBe(0);
  const signUp = async (n: number): Promise<string> => {
    const body = { email: newEmail(), password: 'correct horse' };
    return (await project.door(n).post('/auth-collections/signup', body)).body.user.id;
  };
  const first = await Promise.all(times(30, signUp));
  expect(await project.total()).toBe(30);
  // Each is deleted twice at once: it counts once.
  const deletions = first.slice(0, 20).flatMap((id) => [id, id]);
  const [replies] = await Promise.all([
    Promise.all(deletions.map((id, n) => project.server(n).delete(`/auth-collections/users/${id}`))),
    Promise.all(times(15, signUp)),
  ]);
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(20);
  expect(replies.filter(({ status }) => status === 404)).toHaveLength(20);
  expect(await project.total()).toBe(25);
  expect(await project.rows()).toBe(25);
});

test('20 parallel sign-ups of one e-mail, spelled in any case: one 201, the others 400 email_taken', async () => {
  const project = await emptyProject();
  const email = newEmail();
  const spelled = (n: number) => (n % 3 === 0 ? email : n % 3 === 1 ? email.toUpperCase() : ` ${email} `);
  const replies = await Promise.all(
    times(20, (n) =>
      project.door(n).post('/auth-collections/signup', { email: spelled(n), password: 'correct horse' }),
    ),
  );
  const outcomes = replies.map(({ status, body }) => `${status} ${body.error?.code ?? ''}`).toSorted();
  expect(outcomes).toEqual(['201 ', ...times(19, () => '400 email_taken')]);
  expect(await project.total()).toBe(1);
  expect(await project.rows()).toBe(1);
});

test('a refused sign-up counts nothing', async () => {
  const project = await emptyProject();
  const body = { email: newEmail(), password: 'correct horse' };
  await project.door(0).post('/auth-collections/signup', body);
  for (let n = 0; n < 3; n += 1) await project.door(n).post('/auth-collections/signup', body);
  await project.door(0).post('/auth-collections/signup', { ...body, email: newEmail(), password: 'short' });
  expect(await project.total()).toBe(1);
});
