// @postgres newest
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runTestRules } from '../../src/commands/configuration/test-rules.ts';
import { useTestApp } from '../support/test-app.ts';
import { ConfigFolder } from './config-folder.ts';

const t = useTestApp();
let folder: string;
let environment: Record<string, string>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plinth-rules-'));
  const { ref, apiKey, api } = await t.createProject();
  environment = { PLINTH_URL: `${t.url}/p/${ref}`, PLINTH_API_KEY: apiKey };
  const posts = {
    rules: {
      read: '[or]status=published&[or]author_id=@user.id',
      create: 'users',
      update: 'owner',
      delete: '@user.claims.level__gte=3',
    },
    ownerField: 'author_id',
    hiddenFields: ['note'],
    fieldRules: { likes: { update: 'users' } },
  };
  expect((await api.put('/configuration', { collections: { posts } })).status).toBe(200);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function run(rows: unknown) {
  const file = join(folder, 'rules.json');
  await writeFile(file, typeof rows === 'string' ? rows : JSON.stringify(rows));
  return runTestRules(environment, [file], undefined);
}

const ada = { id: 'ada' };
const posts = 'posts';
const draft = { status: 'draft', author_id: 'ada' };
const published = { status: 'published', author_id: 'ada' };
const cases: [string, object][] = [
  ['allow', { as: 'nobody', action: 'read', collection: posts, document: published }],
  ['deny', { as: 'nobody', action: 'read', collection: posts, document: draft }],
  ['allow', { as: ada, action: 'read', collection: posts, document: draft }],
  ['deny', { as: { id: 'bob' }, action: 'read', collection: posts, document: draft }],
  ['deny', { as: 'nobody', action: 'create', collection: posts, document: { title: 'x' } }],
  ['allow', { as: ada, action: 'create', collection: posts, document: { title: 'x' } }],
  ['deny', { as: ada, action: 'create', collection: posts, document: { note: 'x' } }],
  ['deny', { as: 'nobody', action: 'create', collection: posts, document: draft }],
  ['allow', { as: ada, action: 'update', collection: posts, document: draft, changes: { title: 'y' } }],
  [
    'deny',
    { as: { id: 'bob' }, action: 'update', collection: posts, document: published, changes: { title: 'y' } },
  ],
  [
    'allow',
    { as: { id: 'bob' }, action: 'update', collection: posts, document: published, changes: { likes: 1 } },
  ],
  ['deny', { as: ada, action: 'update', collection: posts, document: draft, changes: { note: 'y' } }],
  ['deny', { as: ada, action: 'delete', collection: posts, document: draft }],
  ['allow', { as: { ...ada, claims: { level: 3 } }, action: 'delete', collection: posts, document: draft }],
  [
    'deny',
    {
      as: { ...ada, claims: { level: 2 }, data: { level: 9 } },
      action: 'delete',
      collection: posts,
      document: draft,
    },
  ],
  ['allow', { as: 'server', action: 'delete', collection: posts, document: draft }],
];

test('rows that are right, each on a line', async () => {
  const { text, exitCode } = await run(cases.map(([expected, row]) => ({ ...row, expect: expected })));
  expect(text.split('\n').filter((line) => !line.startsWith('ok '))).toEqual(['All 16 are as expected.']);
  expect(exitCode).toBe(0);
  expect(text).toContain('ok     {"id":"bob"}, read posts {"status":"draft","author_id":"ada"}: deny\n');
});

test('rows that are not: every one of them with its reason', async () => {
  const turned = cases.map(([expected, row]) => ({
    ...row,
    expect: expected === 'allow' ? 'deny' : 'allow',
  }));
  const { text, exitCode } = await run(turned);
  expect(exitCode).toBe(1);
  const lines = text.split('\n');
  expect(lines.filter((line) => line.startsWith('WRONG '))).toHaveLength(16);
  expect(lines.at(-1)).toBe('16 of 16 are not as expected.');
  expect(lines[1]).toBe(
    'WRONG  nobody, read posts {"status":"draft","author_id":"ada"}: expected allow, but the rules deny it. rules.read: Not met: status=published; author_id=@user.id.',
  );
  expect(lines[15]).toContain('Rules do not apply to the API key.');
});

describe('mistakes', () => {
  const row = { as: 'nobody', action: 'read', collection: posts, expect: 'deny' };
  test.each([
    ['an unknown key', [{ ...row, docment: {} }], '"docment" is unknown in "0". Did you mean "document"?'],
    ['an unknown key of a user', [{ ...row, as: { clams: {} } }], /rules.json: line 1: /],
    ['another expectation', [{ ...row, expect: 'maybe' }], '"0.expect" must be one of "allow", "deny".'],
    ['no list', { ...row }, 'The file must be an array.'],
    ['no JSON', '[\n{]', 'line 2, column 2: This is not valid JSON:'],
    [
      'no such collection',
      [{ ...row, collection: 'post' }],
      'row 1 (nobody, read post): There is no collection "post".',
    ],
    ['no such collection, as the server', [{ ...row, as: 'server', collection: 'post' }], 'row 1'],
    ['changes of nothing', [{ ...row, changes: {} }], '"changes" is not used for a read.'],
  ])('%s', async (_what, rows, message) => {
    await expect(run(rows)).rejects.toThrow(message);
  });

  test('no file', async () => {
    await expect(runTestRules(environment, [join(folder, 'none.json')], undefined)).rejects.toThrow(
      'does not exist',
    );
  });
});

test('as a command it ends with 1 where something differs', async () => {
  await using own = await ConfigFolder.make();
  await own.write('rules.json', [{ as: 'nobody', action: 'create', collection: posts, expect: 'allow' }]);
  const target = { url: environment.PLINTH_URL!, apiKey: environment.PLINTH_API_KEY! };
  const { code, stdout } = await own.run(target, 'test');
  expect(stdout).toContain(
    'WRONG  nobody, create posts: expected allow, but the rules deny it. rules.create: "users" needs a signed-in user.',
  );
  expect(code).toBe(1);
});
