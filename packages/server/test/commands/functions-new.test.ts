// @postgres newest
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { templates } from '@plinth/runtime/templates';
import { expect, test } from 'vitest';
import { CodeFolder } from '../support/code/code-folder.ts';
import { newManager, newProject } from '../support/management/dashboard.ts';
import { PlinthProcess } from '../support/nodes/plinth-process.ts';
import { useTestApp } from '../support/test-app.ts';

const t = useTestApp({ FUNCTIONS_SANDBOX: 'process', FUNCTIONS_BLANK_PROCESSES: '1' });
const nowhere = { url: 'http://127.0.0.1:1/p/aaaaaaaaaaaa', apiKey: 'plk_x' };

test('every template is type-checked, deployed, and never overwrites a file', async () => {
  await using folder = await CodeFolder.make({
    'package.json': '{"type":"module"}',
  });
  const names = Object.keys(templates);
  for (const template of names) {
    const made = await folder.run(nowhere, 'new', `my-${template}`, '--template', template);
    expect(made, made.stderr).toMatchObject({ code: 0, stderr: '' });
  }
  const again = await folder.run(nowhere, 'new', 'my-http');
  expect(again).toMatchObject({
    code: 1,
    stderr: 'functions/my-http.ts already exists and was not changed.\n',
  });
  const { ref, apiKey, api } = await t.createProject();
  const deployed = await folder.run({ url: `${t.url}/p/${ref}`, apiKey }, 'deploy');
  expect(deployed, deployed.stderr).toMatchObject({ code: 0, stderr: '' });
  expect(deployed.stdout).toContain(`Version 1 is running: ${names.length} functions`);
  expect((await api.get('/functions/my-http?name=Ada')).body.data).toEqual({ hello: 'Ada' });
  await api.post('/collections', { name: 'comments' });
  const kept = await api.post('/collections/comments', { text: 'Hello' });
  expect(kept.body.data, kept.text).toMatchObject({ text: 'Hello', status: 'published' });
  const refused = await api.post('/collections/comments', { text: 'Casino!' });
  expect(refused.body.error).toMatchObject({
    code: 'hook_refused',
    message: 'This comment contains words that are not allowed here.',
  });
  expect(await readFile(join(folder.path, 'functions/my-http.ts'), 'utf8')).toBe(templates.http);

  expect(await folder.checkTypes()).toBe('');
});

test('whoever is logged in needs no key', async () => {
  await using folder = await CodeFolder.make({
    'functions/hello.ts': `export default (request: Request) => request.url.split('/functions')[1]`,
  });
  const ada = await newManager(t, 'ada@example.com');
  const { ref } = await newProject(ada);
  const made = await ada.post('/tokens', { name: 'a program', access: 'write' });
  const environment = { PLINTH_TOKEN: made.body.data.token, PLINTH_URL: `${t.url}/p/${ref}` };
  const run = (...args: string[]) =>
    new PlinthProcess(['functions', ...args], environment, folder.path).ended;
  expect((await run('deploy')).stdout).toContain('Version 1 is running: 1 function,');
  expect((await run('list')).stdout).toContain('  ada@example.com  1 function, ');
  expect(await run('invoke', 'hello/7?full=1')).toMatchObject({ code: 0, stdout: '"/hello/7?full=1"\n' });
  expect((await run('logs')).stdout).toMatch(/hello {2}ok {2}200/);
});

test.each([
  [
    [],
    'plinth functions needs an action: deploy, list, rollback, logs, invoke, test, new, serve. See: plinth --help',
  ],
  [['dploy'], 'There is no "plinth functions dploy". Did you mean "deploy"? See: plinth --help'],
  [['remove'], 'There is no "plinth functions remove". See: plinth --help'],
  [['deploy', '--dry'], "Unknown option '--dry'. See: plinth --help"],
  [['deploy'], 'There is no folder "functions" here. Create a first function: plinth functions new hello'],
  [
    ['rollback', 'two'],
    'A version must be a number, not "two". List versions: plinth functions list. See: plinth --help',
  ],
  [['rollback', '1', '2'], 'Pass only one version: "2" is one too many. See: plinth --help'],
  [
    ['logs', 'x', '--follow'],
    'Filters do not apply to a single run: remove either the options or the id. See: plinth --help',
  ],
  [['invoke'], 'The function name is missing: plinth functions invoke <name>. See: plinth --help'],
  [['invoke', 'a', '--data', '{a'], /^--data is not valid JSON: .+ See: plinth --help\n$/],
  [
    ['invoke', 'a', '--method', 'GET', '--data', '1'],
    'A GET request cannot have --data. Remove --method, or use POST. See: plinth --help',
  ],
  [
    ['invoke', 'a', '--method', 'FETCH'],
    '--method must be one of GET, HEAD, POST, PUT, PATCH, DELETE. See: plinth --help',
  ],
  [['invoke', 'a'], 'http://127.0.0.1:1/p/aaaaaaaaaaaa cannot be reached. Is the service running?'],
  [['new'], 'The name is missing: plinth functions new <name>. See: plinth --help'],
  [['new', '../x'], /^"\.\.\/x" is not a valid function name: /],
  [['new', 'x', '--template', 'hok'], 'There is no template "hok". Did you mean "hook"? See: plinth --help'],
  [['new', 'x', '--template', 'cron'], /^There is no template "cron"\. Templates: http, hook, /],
])('plinth functions %j is answered in one line', async (args, said) => {
  await using folder = await CodeFolder.make();
  const { code, stdout, stderr } = await folder.run(nowhere, ...args);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  if (typeof said === 'string') expect(stderr).toBe(`${said}\n`);
  else expect(stderr).toMatch(said);
  expect(stderr.trimEnd()).not.toContain('\n');
});
