// @postgres newest
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../src/platform/ids.ts';
import type { Client } from '../../support/client.ts';
import { answerText, type Person, Stage, succeed } from '../../support/data/stage.ts';

let stage: Stage;
/** Another project in the same cell, with collections of the same numbers and names. */
let twin: Stage;
let alice: Person;
let posts: string;
let links: string;
/** Pairs of ids: one of the other project, and one of the same form that never was. */
let documents: readonly [string, string];
let users: readonly [string, string];
beforeAll(async () => {
  stage = await Stage.open();
  let project = await stage.t.createProject('twin');
  while (project.cell !== stage.t.projects[0].cell) project = await stage.t.createProject('twin');
  twin = new Stage(stage.t, project);
  const settings = { rules: { read: 'public' } };
  [posts, links] = [await stage.collection(settings), await stage.collection(settings)];
  expect([await twin.collection(settings), await twin.collection(settings)]).toEqual([posts, links]);
  alice = await stage.person();
  await stage.document(posts, { name: 'Own' });
  await stage.document(links, {
    known_id: (await stage.document(posts, { name: 'Own' })).id,
    person_id: alice.id,
  });
  const stranger = await twin.person({ name: 'Theirs' });
  documents = [(await twin.document(posts, { name: 'Theirs' })).id, newId(1)];
  users = [stranger.id, newId(0)];
});
afterAll(() => stage[Symbol.asyncDispose]());

/** What both ids of a pair are answered with, their own texts made equal. */
async function answers(
  pair: readonly [string, string],
  ask: (id: string) => Promise<string>,
): Promise<string[]> {
  const texts = [];
  for (const id of pair) texts.push((await ask(id)).replaceAll(id, '<id>'));
  return texts;
}

const callers = (): [string, Client][] => [
  ['someone', stage.anonymous],
  ['Alice', alice.client],
  ['the server', stage.api],
];

describe('Q10, Q11: an id of another project is like one that never was', () => {
  test('in reads and writes of a single document', async () => {
    for (const [who, caller] of callers()) {
      const both = await answers(documents, async (id) => {
        const path = `/collections/${posts}/${id}`;
        const replies = [
          await caller.get(path),
          await caller.get(`${path}?populate=a`),
          await caller.patch(path, { a: 1 }),
          await caller.put(path, { a: 1 }),
          await caller.delete(path),
          await caller.post(`/collections/${posts}/batch-update`, { updates: [{ id, a: 1 }] }),
          await caller.post(`/collections/${posts}/batch-delete`, { ids: [id] }),
        ];
        expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 400, 200]);
        return replies.map(answerText).join('\n');
      });
      expect(both[0], who).toBe(both[1]);
    }
    expect(await succeed(twin.api.get(`/collections/${posts}/${documents[0]}`))).toMatchObject({
      name: 'Theirs',
    });
  });

  test('in reads of a user, and where someone is explained', async () => {
    for (const [who, caller] of callers()) {
      const both = await answers(users, async (id) => {
        const replies = [
          await caller.get(`/auth-collections/users/${id}`),
          await caller.post(`/collections/${posts}/explain`, { as: id, action: 'read' }),
          await caller.patch(`/auth-collections/users/${id}`, { role: 'x' }),
        ];
        return replies.map(answerText).join('\n');
      });
      expect(both[0], who).toBe(both[1]);
    }
  });

  test.each(['documents', 'users'] as const)(
    'in links to %s: population, filters and sorting',
    async (kind) => {
      const pair = kind === 'documents' ? documents : users;
      for (const [who, caller] of callers()) {
        const both = await answers(pair, async (id) => {
          const made = await stage.document(links, {
            known_id: id,
            person_id: id,
            fresh: id,
            all_ids: [id, alice.id],
          });
          const at = (query: string) => caller.get(`/collections/${links}?id=${made.id}&${query}`);
          const replies = [
            await at('populate=known&populate=person&populate=fresh&populate=alls'),
            await at('known.name=Theirs'),
            await at('known.name__ne=Theirs'),
            await at('known.id__isnull=true'),
            await at('person.data.name=Theirs'),
            await at('person.role=user'),
            await at('person.email=x'),
            await at('fresh.name=Theirs'),
            await at('fresh.email__startswith=p'),
            await at('orderBy=fresh.name'),
            await at('alls.data.name=Theirs'),
          ];
          const [populated] = replies[0]!.body.data;
          expect(populated).toMatchObject({
            known: null,
            person: null,
            fresh: null,
            alls: [{ id: alice.id }],
          });
          const text = replies.map(answerText).join('\n');
          await succeed(stage.api.delete(`/collections/${links}/${made.id}`));
          return text
            .replaceAll(made.id, '<made>')
            .replace(/"(createdAt|updatedAt)":"[^"]*"/g, '"$1":"…"')
            .replace(/"nextCursor":"[^"]*"/g, '');
        });
        expect(both[0], who).toBe(both[1]);
      }
    },
  );

  test('in the data of a user', async () => {
    const both = await answers(users, async (id) => {
      await succeed(
        alice.client.patch('/auth-collections/user', { data: { friend_id: id, followers_ids: [id] } }),
      );
      const reply = await alice.client.get('/auth-collections/user?populate=friend&populate=followers_ids');
      expect(reply.body.data.data).toMatchObject({ friend: null, followers_ids: [] });
      return answerText(reply).replace(/"updatedAt":"[^"]*"/g, '');
    });
    expect(both[0]).toBe(both[1]);
  });

  test('in the rules: the owner of a document elsewhere owns nothing here', async () => {
    const owned = await stage.collection({ rules: { read: 'owner' }, ownerField: 'owner_id' });
    await stage.document(owned, { owner_id: users[0] });
    expect((await alice.client.get(`/collections/${owned}`)).body.total).toBe(0);
  });
});
