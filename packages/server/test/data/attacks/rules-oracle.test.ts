// @postgres newest
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getProject } from '../../../src/features/control/projects/index.ts';
import type { ProjectDb } from '../../../src/platform/db/project-db.ts';
import { sql } from '../../../src/platform/db/sql.ts';
import type { Client, Reply } from '../../support/client.ts';
import { type Person, Stage, succeed } from '../../support/data/stage.ts';
import { forgedCursors, probesOf } from './rules-probes.ts';

/** Secrets in pairs: an answer must not tell which of the two is stored. Missing stands for no field at all. */
const missing = Symbol('missing');
const pairs: [string, unknown, unknown][] = [
  ['an early and a late word', 'alpha-canary', 'omega-canary'],
  ['a low and a high number', 1, 9000],
  ['text and nothing', 'omega-canary', missing],
  ['an array and an object', ['alpha-canary'], { deep: 'omega-canary' }],
  ['a long text and a longer one', 'l'.repeat(150), `${'l'.repeat(150)}m`],
];

let stage: Stage;
let db: ProjectDb;
let alice: Person;
let bob: Person;
beforeAll(async () => {
  stage = await Stage.open();
  db = stage.t.cells.forProject(await getProject(stage.t.control, stage.ref));
  [alice, bob] = await Promise.all([
    stage.person({ city: 'Lagos' }),
    stage.person({ city: 'Accra', private: {} }),
  ]);
});
afterAll(() => stage[Symbol.asyncDispose]());

/** Changes what is stored and nothing else: neither times nor versions. */
async function store(id: string, field: string, value: unknown): Promise<void> {
  const path = field.split('.');
  const stored = value === missing ? null : JSON.stringify(value);
  await db.query(sql`
    UPDATE cell.every_document SET data = CASE WHEN ${stored}::jsonb IS NULL THEN data #- ${path}::text[]
      ELSE jsonb_set(data, ${path}::text[], ${stored}::jsonb) END
    WHERE project_id = ${db.scope} AND id = ${id}::uuid`);
}

const shown = ({ status, text, headers }: Reply): string =>
  [
    status,
    text.replace(/"requestId":"[^"]*"/, ''),
    ...['etag', 'link', 'x-total-count'].map((name) => headers.get(name)),
  ].join('\n');

/** Few enough that a node lets them all wait for their turn. */
const atOnce = 50;

/** Asks everything of everyone, in one world and in the other: every answer must be the same. */
async function tellsNothing(
  paths: readonly string[],
  worlds: readonly [() => Promise<void>, () => Promise<void>],
): Promise<number> {
  const callers: Client[] = [stage.anonymous, alice.client];
  const answers: string[][] = [];
  for (const enter of worlds) {
    await enter();
    const calls = callers.flatMap((caller) => paths.map((path) => () => caller.get(path)));
    const replies: Reply[] = [];
    for (let next = 0; next < calls.length; next += atOnce) {
      replies.push(...(await Promise.all(calls.slice(next, next + atOnce).map((call) => call()))));
    }
    answers.push(replies.map(shown));
  }
  for (const [at, answer] of answers[0]!.entries()) {
    expect(answer, `${at >= paths.length ? 'Alice' : 'no one'} asks ${paths[at % paths.length]}`).toBe(
      answers[1]![at],
    );
    expect(Number(answer.slice(0, 3))).toBeLessThan(500);
  }
  return answers[0]!.length;
}

const at = (collection: string) => (query: string) => `/collections/${collection}?${query}`;

describe.each(pairs)('Q9: %s', (_what, one, other) => {
  test('hidden fields of a document that anyone may read', async () => {
    const collection = await stage.collection({ hiddenFields: ['pin', 'profile.ssn'] });
    const links = await stage.collection();
    const [document] = await stage.documents(collection, [
      { title: 'T', profile: { name: 'Ada' } },
      { title: 'U', pin: 'middle', profile: { ssn: 'middle' } },
    ]);
    await stage.document(links, { doc_id: document!.id, docs: [document!.id] });
    const { id } = document!;
    const paths = [
      ...probesOf(['pin', 'profile.ssn', 'profile']).map(at(collection)),
      ...probesOf(['doc.pin', 'docs.profile.ssn']).map(at(links)),
      ...['', '?select=title', '?select=pin', '?populate=pin'].map(
        (end) => `/collections/${collection}/${id}${end}`,
      ),
      ...['doc', 'docs', 'doc.pin'].map((name) => at(links)(`populate=${name}&select=doc,docs`)),
    ];
    const world = (secret: unknown) => async () => {
      await store(id, 'pin', secret);
      await store(id, 'profile.ssn', secret);
    };
    await tellsNothing(paths, [world(one), world(other)]);
  });

  test('a document under a rule, asked in its collection and through links', async () => {
    const collection = await stage.collection({ rules: { read: 'owner_id=@user.id' } });
    const links = await stage.collection();
    const [hidden, ...own] = await stage.documents(collection, [
      { owner_id: bob.id, title: 'x' },
      { owner_id: alice.id, title: 'm' },
      { owner_id: alice.id, title: 'n', n: 5 },
      { owner_id: alice.id, title: 'l'.repeat(150) },
    ]);
    await stage.document(links, { doc_id: hidden!.id, docs: [hidden!.id, ...own.map(({ id }) => id)] });
    const cursors = await forgedCursors(alice.client, at(collection)('orderBy=title&limit=1'), hidden!.id);
    const paths = [
      ...probesOf(['title', 'n']).map(at(collection)),
      ...probesOf(['doc.title', 'docs.title']).map(at(links)),
      ...['doc', 'docs', 'doc.owner'].map((name) => at(links)(`populate=${name}`)),
      `/collections/${collection}/${hidden!.id}`,
      ...cursors.map((cursor) => at(collection)(`orderBy=title&cursor=${cursor}`)),
    ];
    await tellsNothing(paths, [
      () => store(hidden!.id, 'title', one),
      () => store(hidden!.id, 'title', other),
    ]);
  });
});

test.each(pairs.slice(0, 3))(
  'Q9: a document of a locked collection, asked through links: %s',
  async (_what, one, other) => {
    const locked = await stage.collection({ rules: { read: 'locked' } });
    const links = await stage.collection();
    const { id } = await stage.document(locked, { title: 'x' });
    await stage.document(links, { doc_id: id, docs: [id], doc: { title: 'direct' } });
    const paths = [
      ...['', 'title=x', 'orderBy=title', 'select=title'].map(at(locked)),
      ...probesOf(['doc_id.title', 'docs.title', 'doc.title']).map(at(links)),
      ...['doc_id', 'docs', 'doc_id.title'].map((name) => at(links)(`populate=${name}&populate=doc`)),
      `/collections/${locked}/${id}`,
    ];
    await tellsNothing(paths, [() => store(id, 'title', one), () => store(id, 'title', other)]);
  },
);

test('Q9: e-mail, phone, claims, times and private data of a linked user', async () => {
  const collection = await stage.collection();
  const own = await stage.collection();
  await stage.documents(collection, [
    { author_id: bob.id, author_ids: [bob.id, alice.id] },
    { author_id: alice.id },
  ]);
  await succeed(
    alice.client.patch('/auth-collections/user', { data: { friend_ids: [bob.id], friend_id: bob.id } }),
  );
  await stage.document(own, { by_id: alice.id });
  const fields = [
    'email',
    'phone',
    'claims.level',
    'updatedAt',
    'email_verified',
    'data.private.pin',
    'password',
  ];
  const secrets = [...fields, 'password_hash', 'claims', 'data.private', 'is_suspended', 'sessions.id'];
  const paths = [
    ...probesOf(secrets.map((field) => `author.${field}`)).map(at(collection)),
    ...probesOf(secrets.slice(0, 6).map((field) => `by.data.friend.${field}`)).map(at(own)),
    ...['author', 'author_ids', 'author.private', 'authors'].map((name) =>
      at(collection)(`populate=${name}`),
    ),
    at(own)('populate=by.friend&populate=by.friends'),
    '/auth-collections/user?populate=friend&populate=friend_ids',
    `/auth-collections/users/${bob.id}`,
  ];
  const world = (email: string, level: number, isVerified: boolean) => async () => {
    const claims = JSON.stringify({ level });
    const inner = JSON.stringify({ pin: email });
    await db.query(sql`
      UPDATE cell.app_users SET email = ${email}, email_key = ${email}, phone = ${`+23480${level}00000`}, claims = ${claims}::jsonb,
        updated_at = ${level * 1_000_000}, email_verified = ${isVerified},
        data = jsonb_set(data, '{private}', ${inner}::jsonb)
      WHERE project_id = ${db.scope} AND id = ${bob.id}::uuid`);
  };
  const asked = await tellsNothing(paths, [
    world('alpha-canary@example.com', 1, true),
    world('omega-canary@example.com', 9, false),
  ]);
  console.log(`${asked} answers about a linked user are the same in both worlds`);
  const refused = await Promise.all(
    fields.flatMap((field) =>
      [`author.${field}=x`, `title__or__author.${field}__contains=a`].map((query) =>
        alice.client.get(at(collection)(query)),
      ),
    ),
  );
  expect(new Set(refused.map(({ body }) => body.error?.code))).toEqual(new Set(['field_not_readable']));
});

test('Q9: whether a document under a rule is there at all', async () => {
  const collection = await stage.collection({ rules: { read: 'owner_id=@user.id' } });
  const links = await stage.collection();
  const [hidden] = await stage.documents(collection, [
    { owner_id: bob.id, title: 'x' },
    { owner_id: alice.id, title: 'm' },
  ]);
  await stage.document(links, { doc_id: hidden!.id, docs: [hidden!.id] });
  const paths = [
    ...probesOf(['title', 'id', 'createdAt']).map(at(collection)),
    ...probesOf(['doc.title', 'docs.id']).map(at(links)),
    ...['doc', 'docs'].map((name) => at(links)(`populate=${name}`)),
    `/collections/${collection}/${hidden!.id}`,
  ];
  const remove = async () => {
    await db.query(
      sql`DELETE FROM cell.every_document WHERE project_id = ${db.scope} AND id = ${hidden!.id}::uuid`,
    );
  };
  await tellsNothing(paths, [async () => {}, remove]);
});
