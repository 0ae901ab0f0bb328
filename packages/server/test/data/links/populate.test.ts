// @tables own moving
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Stage, succeed } from '../../support/data/stage.ts';

type Fields = Record<string, unknown>;

let stage: Stage;
let people: string;
let ada: Fields & { id: string };
let bob: Fields & { id: string };
let gone: string;
beforeAll(async () => {
  stage = await Stage.open();
  people = await stage.collection({}, 'people');
  [ada, bob] = (await stage.documents(people, [{ name: 'Ada' }, { name: 'Bob' }])) as [
    typeof ada,
    typeof bob,
  ];
  gone = (await stage.document(people, {})).id;
  await succeed(stage.api.delete(`/collections/${people}/${gone}`));
});
afterAll(() => stage[Symbol.asyncDispose]());

/** A document of these fields, read back with a query. */
async function read(fields: Fields, query: string): Promise<Fields> {
  const collection = await stage.collection();
  const { id } = await stage.document(collection, fields);
  const {
    id: _,
    createdAt: __,
    updatedAt: ___,
    ...one
  } = await succeed(stage.api.get(`/collections/${collection}/${id}?${query}`));
  const [listed] = await succeed(stage.api.get(`/collections/${collection}?${query}`));
  expect(listed, 'a list shows the same as a single read').toMatchObject(one);
  return one;
}

describe('a name finds its field', () => {
  test.each([
    ['author', 'author', 'in place'],
    ['author_id', 'author_id', 'in place'],
    ['author_id', 'author', 'added'],
    ['author_ids', 'author', 'added'],
    ['author_ids', 'authors', 'added'],
    ['authors', 'authors', 'in place'],
    ['category_ids', 'categories', 'added'],
    ['box_ids', 'boxes', 'added'],
    ['class_ids', 'classes', 'added'],
    ['dish_ids', 'dishes', 'added'],
    ['status_id', 'status', 'added'],
    ['shoe_ids', 'shoes', 'added'],
  ])('%s by populate=%s: %s', async (field, asked, place) => {
    const isList = field.endsWith('s');
    const value = isList ? [ada.id, bob.id] : ada.id;
    const linked = isList ? [ada, bob] : ada;
    const shown = await read({ [field]: value }, `populate=${asked}`);
    expect(shown).toEqual(place === 'added' ? { [field]: value, [asked]: linked } : { [field]: linked });
  });

  test('the field itself comes before name_id, and name_id before name_ids', async () => {
    const all = { author: ada.id, author_id: bob.id, author_ids: [bob.id] };
    expect(await read(all, 'populate=author')).toEqual({ ...all, author: ada });
    const { author: _, ...two } = all;
    expect(await read(two, 'populate=author')).toEqual({ ...two, author: bob });
    const plain = { author: 'Ada Lovelace', author_id: bob.id };
    expect(await read(plain, 'populate=author')).toEqual(plain);
  });
});

describe('what is not there', () => {
  test('a single link to what is gone is null, in an array it is left out', async () => {
    expect(await read({ author: gone }, 'populate=author')).toEqual({ author: null });
    expect(await read({ author_id: gone }, 'populate=author')).toEqual({ author_id: gone, author: null });
    const mixed = [gone, ada.id, 'text', 5, null, { a: 1 }, gone];
    expect(await read({ author: mixed }, 'populate=author')).toEqual({
      author: [ada, 'text', 5, null, { a: 1 }],
    });
    expect(await read({ author: [gone] }, 'populate=author')).toEqual({ author: [] });
  });

  test.each([
    ['text', { author: 'Ada' }],
    ['a number', { author: 5 }],
    ['an empty array', { author: [] }],
    ['null', { author: null }],
    ['an array without an id', { author: ['a', 'b'] }],
  ])('a field that is no link stays as it is: %s', async (_kind, fields) => {
    expect(await read(fields, 'populate=author')).toEqual(fields);
  });

  test('a name that no field has changes nothing', async () => {
    expect(await read({ a: 1 }, 'populate=nothing&populate=no.thing')).toEqual({ a: 1 });
  });

  test.each(['', 'a..b', '__proto__', 'author.constructor', '$where', 'id', 'createdAt', 'updatedAt'])(
    'populate=%s is refused',
    async (name) => {
      const reply = await stage.api.get(`/collections/${people}?populate=${name}`);
      expect(reply.status, reply.text).toBe(400);
      expect(reply.body.error).toMatchObject({ code: 'invalid_query', details: { parameter: 'populate' } });
    },
  );
});

describe('several, nested and repeated', () => {
  test('populate is repeated, or a list', async () => {
    const fields = { author_id: ada.id, editor_id: bob.id };
    const both = { ...fields, author: ada, editor: bob };
    expect(await read(fields, 'populate=author&populate=editor')).toEqual(both);
    expect(await read(fields, 'populate=author,editor')).toEqual(both);
    expect(await read(fields, 'populate=author&populate=author')).toEqual({ ...fields, author: ada });
    expect(await read(fields, 'populate=author&populate=author_id')).toEqual({
      ...both,
      editor: undefined,
      author_id: ada,
    });
  });

  test('a dotted path continues in what it found', async () => {
    const city = await stage.document(people, { name: 'Lagos' });
    const firm = await stage.document(people, { name: 'Firm', city_id: city.id });
    const cleo = await stage.document(people, { name: 'Cleo', firm: firm.id, friend_ids: [ada.id, gone] });
    expect(await read({ author_id: cleo.id }, 'populate=author.firm.city')).toEqual({
      author_id: cleo.id,
      author: { ...cleo, firm: { ...firm, city } },
    });
    expect(await read({ author_id: cleo.id }, 'populate=author.firm&populate=author.friends')).toEqual({
      author_id: cleo.id,
      author: { ...cleo, firm, friends: [ada] },
    });
    expect(await read({ author_ids: [ada.id, cleo.id] }, 'populate=authors.firm')).toEqual({
      author_ids: [ada.id, cleo.id],
      authors: [ada, { ...cleo, firm }],
    });
  });

  test('a plain object on the way is walked into', async () => {
    const fields = { credits: { author_id: ada.id, by: { editor: bob.id } } };
    expect(await read(fields, 'populate=credits.author&populate=credits.by.editor')).toEqual({
      credits: { author_id: ada.id, author: ada, by: { editor: bob } },
    });
  });

  test('a circle is followed as far as the path says', async () => {
    const one = await stage.document(people, { name: 'One' });
    await succeed(stage.api.patch(`/collections/${people}/${one.id}`, { self_id: one.id }));
    const { author } = (await read(
      { author_id: one.id },
      'populate=author.self.self.self.self',
    )) as never as {
      author: Fields;
    };
    let depth = 0;
    for (let at: unknown = author; at; at = (at as Fields).self) depth += 1;
    expect(depth).toBe(5);
  });

  test('links of several collections in one array', async () => {
    const others = await stage.collection();
    const bot = await stage.document(others, { name: 'Bot' });
    const { id } = await stage.person({ name: 'Cleo' });
    const shown = await read({ member_ids: [ada.id, bot.id, id] }, 'populate=members');
    expect(shown.members).toMatchObject([ada, bot, { id, data: { name: 'Cleo' } }]);
  });

  test('select keeps the chosen fields and what was populated', async () => {
    const fields = { title: 'T', text: 'long', author_id: ada.id };
    expect(await read(fields, 'select=title&populate=author')).toEqual({ title: 'T', author: ada });
    expect(await read(fields, 'select=title,author_id&populate=author')).toEqual({
      title: 'T',
      author_id: ada.id,
      author: ada,
    });
    expect(await read({ author: ada.id, text: 'long' }, 'select=author&populate=author')).toEqual({
      author: ada,
    });
  });
});

test('an app user appears as its public profile to users and strangers, and in full to the API key', async () => {
  const { id, client } = await stage.person({ city: 'Lagos', private: { pin: 1 } }, { claims: { level: 3 } });
  const collection = await stage.collection();
  await stage.document(collection, { author_id: id });
  for (const caller of [client, stage.anonymous]) {
    const [{ author }] = await succeed(caller.get(`/collections/${collection}?populate=author`));
    expect(author).toEqual({ id, role: 'user', data: { city: 'Lagos' }, createdAt: expect.any(String) });
  }
  const [{ author }] = await succeed(stage.api.get(`/collections/${collection}?populate=author`));
  expect(author).toMatchObject({
    id,
    data: { private: { pin: 1 } },
    claims: { level: 3 },
    email: expect.any(String),
  });
  expect(JSON.stringify(author)).not.toMatch(/password|argon/i);
});
