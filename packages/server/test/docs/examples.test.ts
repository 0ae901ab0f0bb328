import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../support/test-app.ts';
import { runInPage } from './browser-example.ts';
import { type Kept, runExample } from './http-example.ts';
import { blocksOf, readPage } from './markdown.ts';
import { writeSampleFiles } from './sample-files.ts';
import { runShell, shellWith } from './shell-example.ts';

let t: TestApp;
let folder: string;
beforeAll(async () => {
  t = await testApp();
  folder = await mkdtemp(join(tmpdir(), 'plinth-examples-'));
  await writeSampleFiles(folder);
});
afterAll(async () => {
  await t[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const kindOf = (text: string) => text.trim().split('\n', 2).join(' ').slice(0, 90);

/** Where the paths of a page start: at the server, or at the address of a project. */
const pages = [
  { path: 'docs/documents.md', start: 'project' },
  { path: 'docs/projects.md', start: 'server' },
  { path: 'docs/users.md', start: 'project' },
  { path: 'docs/rules.md', start: 'project' },
  { path: 'docs/files.md', start: 'project' },
] as const;

describe.each(pages)('$path: every example does what it shows', ({ path, start }) => {
  const examples = blocksOf(readPage(path))
    .filter(({ language }) => ['http', 'sh', 'js'].includes(language))
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
      DATABASE_URL: t.config.DATABASE_URL,
      CELL_DATABASE_URLS: t.config.CELL_DATABASE_URLS,
      SECRET_KEY: t.config.SECRET_KEY,
      FILES_FOLDER: t.config.FILES_FOLDER!,
      PUBLIC_URL: 'https://api.example.com',
      HOST: '127.0.0.1',
      PORT: '0',
      SHUTDOWN_DELAY_MS: '0',
      REF: project.ref,
      OLD_REF: (await t.createProject()).ref,
      KEY: project.apiKey,
    });
  });

  test.each(examples)('line $line: $title', async (example) => {
    const base = start === 'server' ? url : `${url}/p/${project.ref}`;
    if (example.language === 'http') return runExample({ base, apiKey: project.apiKey }, example, kept);
    if (example.language === 'js') return runInPage(example, { base, token: kept.get('ada-token')! });
    await runShell(example, { ...env, BASE: base }, { folder, kept });
    // A fresh node has nothing in memory from before the command.
    if (example.text.includes('plinth ')) ({ url } = await t.node());
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
  await expect(sh(`echo '{"a": 1}'\n#> {"a": 2}`)).rejects.toThrow();
  await expect(sh(`echo '{"a": 1}'; echo '{"a": 1}'\n#> {"a": 1}`)).rejects.toThrow();
  await sh('echo one\n#> one');
  await sh(`echo '{"a": 1, "b": 2}'\n#> {"a": 1}`);
});
