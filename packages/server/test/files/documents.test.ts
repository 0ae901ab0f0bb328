import { beforeAll, describe, expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { newCollection } from '../support/data/new-collection.ts';
import { image } from '../support/files/contents.ts';
import { file, type Part, sendForm } from '../support/files/forms.ts';
import { untilNoLooseBytes } from '../support/files/loose.ts';
import { newEmail, newPerson } from '../support/people/people.ts';
import { useTestApp } from '../support/test-app.ts';

const t = useTestApp();
let png: Buffer;
beforeAll(async () => {
  png = await image('png');
});

const json = (value: unknown): Part => ['data', JSON.stringify(value)];
const info = async () => (await t.api.get('/storage/info')).body.data as { files: number; used: number };
const statusOf = async (url: string) => (await fetch(url)).status;

/** What a test adds to the project's files. */
async function counting() {
  const before = await info();
  return async () => {
    const now = await info();
    return { files: now.files - before.files, bytes: now.used - before.used };
  };
}

describe('documents with files', () => {
  test('a part sets its field to a URL, several of one name to an array', async () => {
    const { name } = await newCollection(t.api);
    const { status, body } = await sendForm(t.api, 'POST', `/collections/${name}`, [
      json({ title: 'Cats', cover: 'will be replaced' }),
      ['cover', file('cover.png', png)],
      ['photos', file('1.txt', 'one')],
      ['photos', file('2.txt', 'two')],
    ]);
    expect(status).toBe(201);
    const { title, cover, photos, id } = body.data;
    expect([title, photos.length]).toEqual(['Cats', 2]);
    expect(await Promise.all(photos.map(async (url: string) => (await fetch(url)).text()))).toEqual([
      'one',
      'two',
    ]);
    expect(await statusOf(cover)).toBe(200);
    const read = (await t.api.get(`/collections/${name}/${id}`)).body.data;
    expect(read).toEqual(body.data);
    const { data } = (await t.api.get('/storage/list')).body;
    expect(data.filter((held: { heldBy?: string }) => held.heldBy === id)).toHaveLength(3);
  });

  test('data may come last, or not at all', async () => {
    const { name } = await newCollection(t.api);
    const last = await sendForm(t.api, 'POST', `/collections/${name}`, [
      ['a', file('a.txt', 'a')],
      json({ b: 1 }),
    ]);
    expect(last.body.data).toMatchObject({ a: expect.stringContaining('/files/'), b: 1 });
    const none = await sendForm(t.api, 'POST', `/collections/${name}`, [['a', file('a.txt', 'a')]]);
    expect(none.status).toBe(201);
  });

  test('a replaced file goes, the others stay; PUT lets go of what it does not name', async () => {
    const { name } = await newCollection(t.api);
    const added = await counting();
    const { body } = await sendForm(t.api, 'POST', `/collections/${name}`, [
      ['cover', file('a.txt', 'aaaa')],
      ['other', file('b.txt', 'bb')],
    ]);
    const { id, cover, other } = body.data;
    const path = `/collections/${name}/${id}`;
    const patched = await sendForm(t.api, 'PATCH', path, [json({ x: 1 }), ['cover', file('c.txt', 'c')]]);
    expect(patched.body.data).toMatchObject({ x: 1, other });
    expect(patched.body.data.cover).not.toBe(cover);
    expect([await statusOf(cover), await statusOf(other), await statusOf(patched.body.data.cover)]).toEqual([
      404, 200, 200,
    ]);
    expect(await added()).toEqual({ files: 2, bytes: 3 });
    const put = await sendForm(t.api, 'PUT', path, [['fresh', file('d.txt', 'dddd')]]);
    expect(Object.keys(put.body.data).toSorted()).toEqual(['createdAt', 'fresh', 'id', 'updatedAt']);
    expect(await statusOf(other)).toBe(404);
    expect(await added()).toEqual({ files: 1, bytes: 4 });
    // A change by JSON that drops the field lets go of the file as well.
    await t.api.patch(path, { $unset: { fresh: true } });
    expect(await added()).toEqual({ files: 0, bytes: 0 });
    await untilNoLooseBytes(t);
  });

  test('a file is added to a list, and taken out of it', async () => {
    const { name } = await newCollection(t.api);
    const { body } = await sendForm(t.api, 'POST', `/collections/${name}`, [
      ['photos', file('1.txt', '1')],
      ['photos', file('2.txt', '2')],
    ]);
    const path = `/collections/${name}/${body.data.id}`;
    const [first] = body.data.photos;
    const { body: appended } = await sendForm(t.api, 'PATCH', path, [['$append.photos', file('3.txt', '3')]]);
    expect(appended.data.photos).toHaveLength(3);
    const { body: removed } = await t.api.patch(path, { $remove: { photos: first } });
    expect(removed.data.photos).toEqual(appended.data.photos.slice(1));
    expect(await statusOf(first)).toBe(404);
    expect(await statusOf(appended.data.photos[2])).toBe(200);
  });

  test('names of parts: [] makes a list, dots and clashes are refused, an empty input is not there', async () => {
    const { name } = await newCollection(t.api);
    const list = await sendForm(t.api, 'POST', `/collections/${name}`, [['photos[]', file('1.txt', '1')]]);
    expect(list.body.data.photos).toEqual([expect.stringContaining('/files/')]);
    const path = `/collections/${name}/${list.body.data.id}`;
    const nested = await sendForm(t.api, 'PATCH', path, [['$append.gallery.photos', file('2.txt', '2')]]);
    expect(nested.body.data.gallery.photos).toHaveLength(1);
    const empty = await sendForm(t.api, 'POST', `/collections/${name}`, [
      json({ a: 1 }),
      ['cover', file('', '')],
    ]);
    expect([empty.status, empty.body.data.cover]).toEqual([201, undefined]);
    const refused: [string, readonly Part[]][] = [
      ['a dot', [['private.scan', file('a.txt', 'a')]]],
      ['an operator that is no object', [json({ $append: 'xyz' }), ['$append.photos', file('a.txt', 'a')]]],
      ['both', [json({ $append: { photos: 'x' } }), ['$append.photos', file('a.txt', 'a')]]],
      ['content without a name', [['cover', file('', 'content')]]],
    ];
    for (const [what, parts] of refused) {
      expect([what, (await sendForm(t.api, 'PATCH', path, parts)).status]).toEqual([what, 400]);
    }
    await untilNoLooseBytes(t);
  });

  test('deleted documents take their files with them, one by one, in batches and with the collection', async () => {
    const added = await counting();
    const { name } = await newCollection(t.api);
    const create = async () =>
      (await sendForm(t.api, 'POST', `/collections/${name}`, [['f', file('f.txt', 'f')]])).body.data;
    const made = [await create(), await create(), await create(), await create()];
    expect(await added()).toEqual({ files: 4, bytes: 4 });
    await t.api.delete(`/collections/${name}/${made[0].id}`);
    await t.api.post(`/collections/${name}/batch-delete`, { ids: [made[1].id] });
    expect(await added()).toEqual({ files: 2, bytes: 2 });
    expect(await statusOf(made[1].f)).toBe(404);
    await t.api.post(`/collections/${name}/batch-update`, { updates: [{ id: made[2].id, f: null }] });
    expect(await added()).toEqual({ files: 1, bytes: 1 });
    await t.api.delete(`/collections/${name}`);
    await expect.poll(added).toEqual({ files: 0, bytes: 0 });
    await untilNoLooseBytes(t);
  });

  test('all or none: whatever refuses the write, no file stays', async () => {
    const added = await counting();
    const { name } = await newCollection(t.api);
    await t.api.patch(`/collections/${name}`, {
      settings: { schema: { type: 'object', properties: { n: { type: 'number' } } } },
    });
    const good: Part = ['f', file('f.txt', 'f')];
    const calls: [string, Promise<{ status: number; text: string }>, number][] = [
      ['schema', sendForm(t.api, 'POST', `/collections/${name}`, [json({ n: 'x' }), good]), 400],
      ['JSON', sendForm(t.api, 'POST', `/collections/${name}`, [['data', '{'], good]), 400],
      ['no object', sendForm(t.api, 'POST', `/collections/${name}`, [['data', '[1]'], good]), 400],
      [
        'second file',
        sendForm(t.api, 'POST', `/collections/${name}`, [good, ['g', file('g.exe', 'g')]]),
        400,
      ],
      ['content', sendForm(t.api, 'POST', `/collections/${name}`, [good, ['g', file('g.png', 'no')]]), 400],
      ['text part', sendForm(t.api, 'POST', `/collections/${name}`, [good, ['title', 'x']]), 400],
      ['operator', sendForm(t.api, 'POST', `/collections/${name}`, [['$append.f', file('f.txt', 'f')]]), 400],
      ['name', sendForm(t.api, 'POST', `/collections/${name}`, [['__proto__', file('f.txt', 'f')]]), 400],
      ['document', sendForm(t.api, 'PATCH', `/collections/${name}/no-such-id`, [good]), 404],
      ['collection', sendForm(t.api, 'POST', '/collections/nowhere', [good]), 404],
      ['data as file', sendForm(t.api, 'POST', `/collections/${name}`, [['data', file('d.txt', '{}')]]), 400],
    ];
    for (const [what, call, status] of calls) {
      const answer = await call;
      expect([what, answer.status], answer.text).toEqual([what, status]);
    }
    expect(await added()).toEqual({ files: 0, bytes: 0 });
    await untilNoLooseBytes(t);
    expect((await t.api.get(`/collections/${name}`)).body.total).toBe(0);
  });

  test('D7: a part named by a field the service owns fills nothing, and its file does not stay', async () => {
    const added = await counting();
    const { name } = await newCollection(t.api);
    for (const field of ['id', 'createdAt', 'updatedAt']) {
      const { status, body } = await sendForm(t.api, 'POST', `/collections/${name}`, [
        json({ ok: true }),
        [field, file('f.txt', 'f')],
      ]);
      expect([field, status]).toEqual([field, 201]);
      expect(body.data[field]).not.toContain('/files/');
    }
    expect(await added()).toEqual({ files: 0, bytes: 0 });
    await untilNoLooseBytes(t);
  });

  test('the same Idempotency-Key makes one document with one file', async () => {
    const added = await counting();
    const { name } = await newCollection(t.api);
    const send = () =>
      sendForm(t.api, 'POST', `/collections/${name}`, [['f', file('f.txt', 'f')]], {
        'idempotency-key': 'k',
      });
    const [first, second] = [await send(), await send()];
    expect(second.body.data).toEqual(first.body.data);
    expect(await added()).toEqual({ files: 1, bytes: 1 });
    await untilNoLooseBytes(t);
  });

  test('follows the right to the write: rules decide, and a refused file leaves nothing', async () => {
    const added = await counting();
    const { name } = await newCollection(t.api);
    await t.api.patch(`/collections/${name}`, {
      settings: { rules: { read: 'users', create: 'users', update: 'owner' }, ownerField: 'by' },
    });
    const { me: ada } = await newPerson(t);
    const { me: bob } = await newPerson(t);
    const { status, body } = await sendForm(ada, 'POST', `/collections/${name}`, [['f', file('f.txt', 'f')]]);
    expect(status).toBe(201);
    const path = `/collections/${name}/${body.data.id}`;
    expect((await sendForm(bob, 'PATCH', path, [['f', file('f.txt', 'bob')]])).status).toBe(403);
    const anonymous = new Client(`${t.url}/p/${t.projects[0].ref}`);
    expect(
      (await sendForm(anonymous, 'POST', `/collections/${name}`, [['f', file('f.txt', 'x')]])).status,
    ).toBe(401);
    expect(await statusOf(body.data.f)).toBe(200);
    expect((await sendForm(ada, 'PATCH', path, [['f', file('f.txt', 'ada')]])).status).toBe(200);
    expect(await added()).toEqual({ files: 1, bytes: 3 });
  });
});

describe('users with files', () => {
  test('PATCH sets data.avatar; the one before goes; the user takes its files along', async () => {
    const added = await counting();
    const person = await newPerson(t, { data: { name: 'Ada' } });
    const first = await sendForm(person.me, 'PATCH', '/auth-collections/user', [
      json({ city: 'London' }),
      ['avatar', file('me.png', png)],
    ]);
    expect(first.status, first.text).toBe(200);
    const { name, city, avatar } = first.body.data.data;
    expect([name, city]).toEqual(['Ada', 'London']);
    expect(await statusOf(avatar)).toBe(200);
    const second = await sendForm(person.me, 'PATCH', '/auth-collections/user', [
      ['avatar', file('me2.png', png)],
    ]);
    expect(await statusOf(avatar)).toBe(404);
    expect(await added()).toEqual({ files: 1, bytes: png.length });
    await t.api.delete(`/auth-collections/users/${person.id}`);
    expect(await statusOf(second.body.data.data.avatar)).toBe(404);
    expect(await added()).toEqual({ files: 0, bytes: 0 });
    await untilNoLooseBytes(t);
  });

  test('a caller who has not signed in may send only a few small files', async () => {
    const added = await counting();
    const door = new Client(`${t.url}/p/${t.projects[0].ref}`);
    const signUp = (files: readonly Part[]) =>
      sendForm(door, 'POST', '/auth-collections/signup', [
        ['email', newEmail()],
        ['password', 'correct horse'],
        ...files,
      ]);
    const six = Array.from({ length: 6 }, (_, at): Part => [`f${at}`, file('a.txt', 'a')]);
    expect((await signUp(six)).body.error.message).toMatch(/more than 5 files/);
    const large = await signUp([['avatar', file('a.txt', Buffer.alloc(10 * 1_048_576 + 1, 'a'))]]);
    expect(large).toFailWith(413, 'file_too_large');
    expect((await signUp(six.slice(1))).status).toBe(201);
    expect(await added()).toEqual({ files: 5, bytes: 5 });
    await untilNoLooseBytes(t);
  });

  test('sign-up takes files, and leaves none if it fails', async () => {
    const added = await counting();
    const door = new Client(`${t.url}/p/${t.projects[0].ref}`);
    const email = newEmail();
    const signUp = (password: string) =>
      sendForm(door, 'POST', '/auth-collections/signup', [
        ['email', email],
        ['password', password],
        json({ name: 'Ada' }),
        ['avatar', file('me.png', png)],
      ]);
    expect((await signUp('short')).status).toBe(400);
    const { status, body, text } = await signUp('correct horse');
    expect(status, text).toBe(201);
    expect(await statusOf(body.user.data.avatar)).toBe(200);
    expect(await signUp('correct horse')).toFailWith(400, 'email_taken');
    expect(await added()).toEqual({ files: 1, bytes: png.length });
    const me = new Client(t.url, { authorization: `Bearer ${body.access_token}` });
    expect((await me.get('/storage/list')).body).toMatchObject({
      total: 1,
      data: [{ uploadedBy: body.user.id }],
    });
    await untilNoLooseBytes(t);
  });
});
