import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../support/test-app.ts';
import { type Kept, runExample } from './http-example.ts';
import { blocksOf, readPage } from './markdown.ts';
import { runShell, shellWith } from './shell-example.ts';

const settings = { PUBLIC_URL: 'https://api.example.com' };

let t: TestApp;
beforeAll(async () => {
  t = await testApp(settings);
});
afterAll(() => t[Symbol.asyncDispose]());

const kindOf = (text: string) => text.trim().split('\n', 2).join(' ').slice(0, 90);

/** Where the paths of a page start: at the server, or at the address of a project. */
const pages = [
  { path: 'docs/documents.md', start: 'project' },
  { path: 'docs/projects.md', start: 'server' },
  { path: 'docs/users.md', start: 'project' },
  { path: 'docs/rules.md', start: 'project' },
] as const;

describe.each(pages)('$path: every example does what it shows', ({ path, start }) => {
  const examples = blocksOf(readPage(path))
    .filter(({ language }) => language === 'http' || language === 'sh')
    .map((block) => ({ ...block, title: kindOf(block.text) }));
  const kept: Kept = new Map();
  let project: Awaited<ReturnType<TestApp['createProject']>>;
  let url: string;
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    project = await t.createProject();
    ({ url } = t);
    kept.set('ref', project.ref);
    env = shellWith({
      ...settings,
      DATABASE_URL: t.config.DATABASE_URL,
      CELL_DATABASE_URLS: t.config.CELL_DATABASE_URLS,
      SECRET_KEY: t.config.SECRET_KEY,
      HOST: '127.0.0.1',
      PORT: '0',
      SHUTDOWN_DELAY_MS: '0',
      REF: project.ref,
      OLD_REF: (await t.createProject()).ref,
    });
  });

  test.each(examples)('line $line: $title', async (example) => {
    if (example.language === 'http') {
      const base = start === 'server' ? url : `${url}/p/${project.ref}`;
      return runExample({ base, apiKey: project.apiKey }, example, kept);
    }
    await runShell(example, env);
    // A fresh node has nothing in memory from before the command.
    ({ url } = await t.node());
  });
});

describe('an example that is not true fails', () => {
  const run = (text: string, kept: Kept = new Map()) =>
    runExample(
      { base: t.url, apiKey: t.projects[0].apiKey },
      { language: 'http', line: 1, text: `${text}\n` },
      kept,
    );

  test.each([
    ['another status', '=> 201 {"success": true}'],
    ['another body', '=> 200 {"success": true, "data": [{"name": "ghosts"}]}'],
    ['another header', '=> 200 {"success": true}\nX-RateLimit-Limit: 1'],
    ['a field as absent that is there', '=> 200 {"total": "<absent>"}'],
    ['another kept value', '=> 200 {"total": "<kept>"}'],
    ['a new value that is the old one', '=> 200 {"total": "<new zero>"}'],
  ])('because it shows %s', async (_what, answer) => {
    const kept = new Map([
      ['kept', 'something else'],
      ['zero', 0 as unknown as string],
    ]);
    await expect(run(`GET /collections\n\n${answer}`, kept)).rejects.toThrow();
  });

  test('because it is sent as somebody else', async () => {
    await run('# as server\nGET /collections\n\n=> 200');
    await run('# as anonymous\nGET /collections\n\n=> 401');
    await expect(run('# as anonymous\nGET /collections\n\n=> 200')).rejects.toThrow();
    await expect(run('# as ada\nGET /collections\n\n=> 403')).rejects.toThrow('<ada-token>');
  });
});

test('a command that fails, or prints something else, fails', async () => {
  const sh = (text: string) => runShell({ language: 'sh', line: 1, text }, shellWith({}));
  await expect(sh('false\ntrue')).rejects.toThrow();
  await expect(sh('echo one\n#> two')).rejects.toThrow();
  await sh('echo one\n#> one');
});
