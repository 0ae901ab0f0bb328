// @postgres newest
import { beforeAll, expect, test } from 'vitest';
import { GuardedClient } from '../../support/data/guarded-client.ts';
import { type NewCollection, newCollection } from '../../support/data/new-collection.ts';
import { Stored } from '../../support/data/stored.ts';
import { useTestApp } from '../../support/test-app.ts';

// JSON.parse of V8 13 and 14 remembers the names of objects it has seen, and takes an escaped name for a remembered one
// that is spelt like the escape. Answers are compared as text here: the parser of the test has the same fault.

const t = useTestApp();
let api: GuardedClient;
let posts: NewCollection;
let stored: Stored;
/** Another project on the same node. */
let other: GuardedClient;
let theirs: NewCollection;
beforeAll(async () => {
  api = new GuardedClient(t.url, { 'x-api-key': t.projects[0].apiKey });
  other = new GuardedClient(t.url, { 'x-api-key': t.projects[1].apiKey });
  posts = await newCollection(api);
  theirs = await newCollection(other);
  stored = new Stored(t, t.projects[0]);
});

/** The field names of the newest document as PostgreSQL has them. */
async function namesStored(): Promise<string[]> {
  const rows = await stored.query<{ name: string }>(
    `SELECT jsonb_object_keys(data) AS name FROM cell.every_document
     WHERE project_id = $1 AND id = (SELECT id FROM cell.every_document WHERE project_id = $1 ORDER BY id DESC LIMIT 1)`,
  );
  return rows.map(({ name }) => name);
}

test.each<[string, string, string, string]>([
  ['é', '{"first":1,"pr\\\\u00":1}', '{"first":1,"pr\\u00e9nom":1}', 'prénom'],
  ['a line feed', '{"second":1,"line\\\\":1}', '{"second":1,"line\\n":1}', 'line\n'],
  ['a quote', '{"third":1,"\\\\":1}', '{"third":1,"\\"":1}', '"'],
])(
  'D2: a name with %s in escapes stays that name, whatever another project sent before',
  async (_name, theirBody, raw, name) => {
    expect((await other.post(theirs.path, undefined, { raw: theirBody })).status).toBe(201);
    for (const [path, body] of [
      [posts.path, raw],
      [`${posts.path}/batch`, `{"documents":[${raw}]}`],
    ] as const) {
      const created = await api.post(path, undefined, { raw: body });
      expect(created.status).toBe(201);
      expect(await namesStored()).toContain(name);
      expect(created.text).toContain(`${JSON.stringify(name)}:1`);
    }
  },
);

test('D2: a stored name stays as it is when its document is changed, whatever another project sent before', async () => {
  // PostgreSQL gives names back by length, so this is also the order in which the node reads them.
  const created = await api.post(posts.path, undefined, { raw: '{"a":1,"bc\\n":1}' });
  expect(await namesStored()).toEqual(['a', 'bc\n']);
  await other.post(theirs.path, undefined, { raw: '{"a":1,"bc\\\\":1}' });
  const patched = await api.patch(`${posts.path}/${created.body.data.id}`, { $increment: { a: 1 } });
  expect(patched.status).toBe(200);
  expect(await namesStored()).toEqual(['a', 'bc\n']);
  const selected = await api.get(`${posts.path}/${created.body.data.id}?select=a&select=bc%0A`);
  expect(selected.text).toContain('"bc\\n":');
});
