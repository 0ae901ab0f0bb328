// @postgres newest
import { expect, test } from 'vitest';
import { Dashboard } from '../support/management/dashboard.ts';
import { emptyDatabase } from '../support/nodes/empty-database.ts';
import { runPlinth, startNode } from '../support/nodes/plinth-process.ts';

test('a first start makes a project with an owner, who signs in by the link; a second changes nothing', async () => {
  const DATABASE_URL = await emptyDatabase();
  const environment = { DATABASE_URL, PUBLIC_URL: 'https://api.example.com' };
  const first = await runPlinth(['setup', 'ada@example.com', '--project', 'Library'], environment);
  expect(first).toMatchObject({ code: 0, stderr: '' });
  expect(first.stdout).not.toContain('plk_');
  const [, ref = ''] = /Created project (\w+), owned by ada@example\.com\./.exec(first.stdout) ?? [];
  const [, token = ''] =
    /https:\/\/api\.example\.com\/account\/sign-in\?token=(\S+)/.exec(first.stdout) ?? [];

  const again = await runPlinth(['setup', 'grace@example.com'], environment);
  expect(again).toMatchObject({
    code: 0,
    stdout: 'The databases are up to date.\nA project with an owner already exists: nothing else to do.\n',
  });

  const { process, url } = await startNode({ DATABASE_URL, SHUTDOWN_DELAY_MS: '0' });
  await using _ = process;
  const ada = new Dashboard(url);
  await ada.post('/session', { token });
  const { body } = await ada.get('/projects');
  expect(body.data).toMatchObject([{ ref, name: 'Library', role: 'owner' }]);
});

test('a project that nobody owns is given to whoever sets up', async () => {
  const environment = { DATABASE_URL: await emptyDatabase() };
  await runPlinth(['migrate'], environment);
  const { stdout } = await runPlinth(['project', 'create', 'Made before', '--json'], environment);
  const { ref } = JSON.parse(stdout) as { ref: string };
  const setup = await runPlinth(['setup', 'ada@example.com'], environment);
  expect(setup.stdout).toContain(`Created project ${ref}, owned by ada@example.com.`);
});

test.each([
  [['setup'], 'plinth setup takes one argument, the email address of the owner. See: plinth --help\n'],
  [['setup', 'ada'], expect.stringMatching(/email/)],
])('plinth %j says what is wrong, and makes nothing', async (args, stderr) => {
  const environment = { DATABASE_URL: await emptyDatabase() };
  expect(await runPlinth(args, environment)).toMatchObject({ code: 1, stdout: '', stderr });
  const { code } = await runPlinth(['migrate'], environment);
  expect(code).toBe(0);
  const { stdout } = await runPlinth(['project', 'list'], environment);
  expect(stdout).toContain('There are no projects yet.');
});
