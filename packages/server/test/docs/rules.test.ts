// @postgres newest
import { beforeAll, describe, expect, test } from 'vitest';
import { Client, type Reply } from '../support/client.ts';
import { fill, type Kept } from '../support/http-example.ts';
import { blocksOf, readPage, tablesOf } from '../support/markdown.ts';
import { useTestApp } from '../support/test-app.ts';

const page = readPage('docs/rules.md');
const [, people, documents] = blocksOf(page)
  .filter(({ language }) => language === 'json')
  .map(({ text }) => text);
const tableWith = (head: string) => tablesOf(page).find((table) => table.head[0] === head)!.rows;

const kept: Kept = new Map();
const callers = new Map<string, Client>();
const t = useTestApp();

beforeAll(async () => {
  const base = `${t.url}/p/${t.projects[0].ref}`;
  callers.set('not signed in', new Client(base));
  for (const [name, { data = {}, ...given }] of Object.entries(
    JSON.parse(people!) as Record<string, { data?: object }>,
  )) {
    const signUp = { email: `${name}@example.com`, password: 'correct horse', data };
    const { body } = await callers.get('not signed in')!.post('/auth-collections/signup', signUp);
    kept.set(name, body.user.id);
    callers.set(name, new Client(base, { authorization: `Bearer ${body.access_token}` }));
    expect((await t.api.patch(`/auth-collections/users/${body.user.id}`, given)).status).toBe(200);
  }
  for (const [collection, list] of Object.entries(JSON.parse(documents!) as Record<string, object[]>)) {
    await t.api.post('/collections', { name: collection });
    for (const document of list) {
      const fields = JSON.parse(fill(JSON.stringify(document), kept)) as { name: string };
      const { body } = await t.api.post(`/collections/${collection}`, fields);
      kept.set(fields.name.toLowerCase(), body.data.id);
    }
  }
});

async function setRules(rules: Record<string, string>): Promise<void> {
  const locked = { read: 'locked', create: 'locked', update: 'locked', delete: 'locked' };
  const settings = { rules: { ...locked, ...rules }, ownerField: 'author_id' };
  const { status, text } = await t.api.patch('/collections/posts', { settings });
  expect(status, text).toBe(200);
}

/** What a list shows: names of documents in the order they were made, or the status of a refusal. */
function shown({ status, body }: Reply): string {
  if (status !== 200) return String(status);
  return (body.data as { name: string }[]).map(({ name }) => name).join(', ') || 'none';
}

describe('docs/rules.md: a read rule shows each caller what its row says', () => {
  const rows = tableWith('read rule');

  test('there are at least 15 of them', () => {
    expect(rows.length).toBeGreaterThanOrEqual(15);
  });

  test.each(rows)('%s (%s)', async (rule, _meaning, ada, bob, cleo, anonymous) => {
    await setRules({ read: rule });
    const seen: Record<string, string> = {};
    for (const [name, client] of callers) {
      const list = await client.get('/collections/posts?order=asc');
      seen[name] = shown(list);
      await expectSameAlone(client, list);
    }
    expect(seen).toEqual({ 'not signed in': anonymous, ada, bob, cleo });
  });

  /** Read one by one, there is exactly what the list shows. */
  async function expectSameAlone(client: Client, list: Reply): Promise<void> {
    const listed = list.status === 200 ? (list.body.data as { id: string }[]).map(({ id }) => id) : [];
    for (const name of ['hello', 'draft', 'news', 'secret']) {
      const { status } = await client.get(`/collections/posts/${kept.get(name)}`);
      expect(status === 200).toBe(listed.includes(kept.get(name)!));
    }
  }
});

describe('docs/rules.md: each call is answered as its row says', () => {
  const path = '/collections/posts';
  const calls: Record<string, (client: Client, id: string) => Promise<Reply>> = {
    list: (client) => client.get(path),
    read: (client, id) => client.get(`${path}/${id}`),
    create: (client) => client.post(path, { status: 'published' }),
    change: (client, id) => client.patch(`${path}/${id}`, { level: 2 }),
    delete: (client, id) => client.delete(`${path}/${id}`),
  };

  test.each(tableWith('rules'))('%s: %s', async (rules, call, ada, bob, anonymous) => {
    await setRules(Object.fromEntries(rules.split(', ').map((rule) => rule.split(': ') as [string, string])));
    const { id: _, ...fields } = (await t.api.get(`${path}/${kept.get('hello')}`)).body.data;
    const answers: string[] = [];
    for (const name of ['ada', 'bob', 'not signed in']) {
      const copy = await t.api.post(path, fields);
      const answer = await calls[call]!(callers.get(name)!, copy.body.data.id);
      answers.push([answer.status, answer.body.error?.code ?? ''].join(' ').trim());
      await t.api.delete(`${path}/${copy.body.data.id}`);
    }
    expect(answers).toEqual([ada, bob, anonymous]);
  });
});
