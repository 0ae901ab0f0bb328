import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Client } from '../support/client.ts';
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

describe.each(['docs/documents.md', 'docs/projects.md'])('%s: every example does what it shows', (path) => {
  const examples = blocksOf(readPage(path))
    .filter(({ language }) => language === 'http' || language === 'sh')
    .map((block) => ({ ...block, title: kindOf(block.text) }));
  const kept: Kept = new Map();
  let apiKey: string;
  let url: string;
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    const project = await t.createProject();
    ({ apiKey } = project);
    ({ url } = t);
    kept.set('ref', project.ref);
    env = shellWith({
      ...settings,
      DATABASE_URL: t.config.DATABASE_URL,
      CELL_DATABASE_URLS: t.config.CELL_DATABASE_URLS,
      HOST: '127.0.0.1',
      PORT: '0',
      SHUTDOWN_DELAY_MS: '0',
      REF: project.ref,
      OLD_REF: (await t.createProject()).ref,
    });
  });

  test.each(examples)('line $line: $title', async (example) => {
    if (example.language === 'http') {
      const clients = { api: new Client(url, { 'x-api-key': apiKey }), anonymous: new Client(url) };
      return runExample(clients, example, kept);
    }
    await runShell(example, env);
    // A fresh node has nothing in memory from before the command.
    ({ url } = await t.node());
  });
});

test.each([
  ['another status', '=> 201 {"success": true}'],
  ['another body', '=> 200 {"success": true, "data": [{"name": "ghosts"}]}'],
  ['another header', '=> 200 {"success": true}\nX-RateLimit-Limit: 1'],
])('an example that shows %s fails', async (_what, answer) => {
  const block = { language: 'http', line: 1, text: `GET /collections\n\n${answer}` };
  const run = runExample({ api: t.api, anonymous: t.anonymous }, block, new Map());
  await expect(run).rejects.toThrow();
});

test('a command that fails, or prints something else, fails', async () => {
  const sh = (text: string) => runShell({ language: 'sh', line: 1, text }, shellWith({}));
  await expect(sh('false\ntrue')).rejects.toThrow();
  await expect(sh('echo one\n#> two')).rejects.toThrow();
  await sh('echo one\n#> one');
});
