// @postgres newest
// @needs redis chromium
import { closeCodes } from '@plinth/protocol';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Kept, runExample, type Target } from '../support/http-example.ts';
import { blocksOf, readPage, tablesOf } from '../support/markdown.ts';
import { runShell, shellWith } from '../support/shell-example.ts';
import { useTestApp } from '../support/test-app.ts';
import { LiveExamples } from './live-example.ts';
import { LoggingPage } from './page-example.ts';

const page = readPage('docs/realtime.md');
const languages = ['http', 'sh', 'js', 'live'];
const examples = blocksOf(page)
  .filter(({ language }) => languages.includes(language))
  .map((block) => ({ ...block, title: block.text.trim().split('\n', 2).join(' ').slice(0, 90) }));

describe('docs/realtime.md: every example does what it shows', () => {
  const kept: Kept = new Map();
  const t = useTestApp({ REDIS_URL: inject('redisUrl') });
  let target: Target;
  let env: NodeJS.ProcessEnv;
  let live: LiveExamples;
  let window: LoggingPage;

  beforeAll(async () => {
    const { ref, apiKey } = t.projects[0];
    target = { base: `${t.url}/p/${ref}`, apiKey };
    env = shellWith({
      DATABASE_URL: t.config.DATABASE_URL,
      CELL_DATABASE_URLS: t.config.CELL_DATABASE_URLS,
      SECRET_KEY: t.config.SECRET_KEY,
      REF: ref,
      KEY: apiKey,
      BASE: target.base,
    });
    live = new LiveExamples(t.url, target, kept);
    window = await LoggingPage.open();
  });
  afterAll(async () => {
    await window?.[Symbol.asyncDispose]();
    await live?.[Symbol.asyncDispose]();
  });

  test.each(examples)('line $line: $title', async (example) => {
    switch (example.language) {
      case 'http':
        return runExample(target, example, kept);
      case 'live':
        return live.run(example);
      case 'js':
        return window.run(example, { base: target.base, token: kept.get('ada-token') ?? '' }, kept);
      default:
        await runShell(example, env, { kept });
        // What a command has changed is heard of by the node.
        await t.app.caughtUp();
    }
  });

  test('what is not as shown fails', async () => {
    const block = (language: string, text: string) => ({ language, text, line: 1 });
    const wrong = '# as server, a new connection\n< {"type": "ready", "user": "somebody"}';
    await expect(live.run(block('live', wrong))).rejects.toThrow();
    await expect(live.run(block('live', '# as server\n? {}'))).rejects.toThrow();
    await expect(window.run(block('js', "console.log('one');\n//> two"), {}, kept)).rejects.toThrow();
    await window.run(block('js', "console.log('one');\n//> one"), {}, kept);
  });
});

test('docs/realtime.md has every message and every close code there is', () => {
  const messages = readPage('packages/protocol/src/realtime.ts').matchAll(/readonly type: '(\w+)'/g);
  const types = new Set(Array.from(messages, ([, type]) => type!));
  expect(types.size).toBeGreaterThan(15);
  expect([...types].filter((type) => !page.includes(`"type": "${type}"`))).toEqual([]);
  const codes = tablesOf(page)
    .find(({ head }) => head[0] === 'code')!
    .rows.map(([code]) => Number(code));
  expect(Object.values(closeCodes).filter((code) => !codes.includes(code))).toEqual([]);
});
