// @postgres newest
import { randomBytes, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Client, Reply } from '../../support/client.ts';
import { upload } from '../../support/files/forms.ts';
import { newPerson, type Person } from '../../support/people/people.ts';
import { useTestApp } from '../../support/test-app.ts';
import { Resumable, slowBody } from './files-resumable.ts';

const t = useTestApp();
let ada: Person;
let bob: Person;
/** What ada has: a file, an upload to the store, and one in pieces; and the same of the other project. */
const theirs: Record<'file' | 'direct' | 'resumable', string[]> = { file: [], direct: [], resumable: [] };
beforeAll(async () => {
  [ada, bob] = await Promise.all([newPerson(t), newPerson(t)]);
  for (const [api, credential] of [
    [ada.me, { authorization: `Bearer ${ada.token}` }],
    [t.projects[1].api, { 'x-api-key': t.projects[1].apiKey }],
  ] as [Client, Record<string, string>][]) {
    theirs.file.push(
      (await upload(api, 'hers.txt', 'canary', { path: 'hers/', private: 'true' })).body.data.id,
    );
    const direct = await api.post('/storage/direct-uploads', { name: 'hers.txt', size: 6 });
    await fetch(direct.body.data.uploadUrl, { method: 'PUT', body: 'canary' });
    theirs.direct.push(direct.body.data.id);
    const location = await new Resumable(t.url, credential).start(6, { filename: 'hers.txt' });
    theirs.resumable.push(location.split('/').at(-1)!);
  }
});

/** An answer without what differs in any two answers. */
async function shape(answer: Reply | Response, id: string) {
  const text = typeof answer.text === 'string' ? answer.text : await answer.text();
  const names = [...answer.headers.keys()].filter((name) => name !== 'content-length').toSorted();
  return {
    status: answer.status,
    text: text.replaceAll(id, '<id>').replace(/"requestId":"[^"]+"/, ''),
    names,
  };
}

const asBob = () => new Resumable(t.url, { authorization: `Bearer ${bob.token}` });
const at = (id: string) => `/storage/resumable/${id}`;
const attempts: [string, keyof typeof theirs, (id: string) => Promise<Reply | Response>][] = [
  ['reading a record', 'file', (id) => bob.me.get(`/storage/file/${id}`)],
  ['deleting a file', 'file', (id) => bob.me.delete(`/storage/file/${id}`)],
  ['signing a URL', 'file', (id) => bob.me.post(`/storage/file/${id}/signed-url`, {})],
  ['confirming an upload', 'direct', (id) => bob.me.post(`/storage/direct-uploads/${id}/confirm`)],
  ['confirming one in pieces', 'resumable', (id) => bob.me.post(`/storage/direct-uploads/${id}/confirm`)],
  ['confirming a file', 'file', (id) => bob.me.post(`/storage/direct-uploads/${id}/confirm`)],
  ['asking how far one is', 'resumable', (id) => asBob().head(at(id))],
  ['asking how far a file is', 'file', (id) => asBob().head(at(id))],
  ['adding bytes', 'resumable', (id) => asBob().send(at(id), 0, 'stolen')],
  ['adding bytes to a file', 'file', (id) => asBob().send(at(id), 6, 'stolen')],
  ['adding bytes to one at the store', 'direct', (id) => asBob().send(at(id), 0, 'stolen')],
  ['giving one up', 'resumable', (id) => asBob().drop(at(id))],
  ['giving up a file', 'file', (id) => asBob().drop(at(id))],
];

describe('U5: what is somebody else’s is not there', () => {
  test.each(attempts)('%s answers the same as for an id that never was', async (_what, kind, attempt) => {
    const never = randomUUID();
    const expected = await shape(await attempt(never), never);
    expect(expected.status).toBe(404);
    for (const id of theirs[kind]) expect(await shape(await attempt(id), id)).toEqual(expected);
  });

  test('lists, folders and figures do not show it', async () => {
    expect((await bob.me.get('/storage/list')).body).toMatchObject({ total: 0, data: [], folders: [] });
    expect((await bob.me.get('/storage/list?path=hers/')).body).toMatchObject({ total: 0, data: [] });
    expect(await bob.me.get('/storage/info')).toFailWith(403, 'api_key_required');
    expect((await ada.me.get('/storage/list?path=hers/')).body.total).toBe(1);
  });

  test('after all that everything is as it was', async () => {
    const [file, direct, resumable] = [theirs.file[0]!, theirs.direct[0]!, theirs.resumable[0]!];
    expect((await ada.me.get(`/storage/file/${file}`)).body.data).toMatchObject({ size: 6, private: true });
    expect((await ada.me.post(`/storage/direct-uploads/${direct}/confirm`)).status).toBe(201);
    const tus = new Resumable(t.url, { authorization: `Bearer ${ada.token}` });
    expect((await tus.head(at(resumable))).headers.get('upload-offset')).toBe('0');
    expect((await tus.send(at(resumable), 0, 'canary')).status).toBe(204);
  });

  test.each<[string, () => Record<string, string>]>([
    ['another user', () => ({ authorization: `Bearer ${bob.token}` })],
    ['another project', () => ({ 'x-api-key': t.projects[1].apiKey })],
  ])('%s neither waits for an upload under way nor disturbs it', async (_who, credentials) => {
    const tus = new Resumable(t.url, { authorization: `Bearer ${ada.token}` });
    const location = await tus.start(10, { filename: 'a.txt' });
    const { body, push, end } = slowBody();
    const sending = tus.send(location, 0, body);
    push('hello');
    const isWritten = async () =>
      (await t.cells.pool(t.projects[0].cell).query('SELECT FROM cell.uploads WHERE lease IS NOT NULL'))
        .rowCount;
    await expect.poll(isWritten).toBe(1);
    const startedAt = performance.now();
    const other = new Resumable(t.url, credentials());
    for (const answer of [
      await other.head(location),
      await other.send(location, 0, 'x'),
      await other.drop(location),
    ])
      expect(answer.status).toBe(404);
    expect(performance.now() - startedAt).toBeLessThan(15_000);
    // Whoever holds the upload is asked to let go of it within 3 s, if at all.
    const until = startedAt + 3500;
    await expect.poll(() => performance.now() > until).toBe(true);
    push('world');
    end();
    const sent = await sending;
    expect([sent.status, sent.headers.get('upload-offset')]).toEqual([204, '10']);
  });
});

describe('U5: addresses', () => {
  test('a private file without a signature is like a file that never was', async () => {
    const signed = (await ada.me.post(`/storage/file/${theirs.file[0]}/signed-url`, {})).body.data
      .url as string;
    const plain = signed.replace(/\?.*/, '');
    const key = /[0-9a-f]{32}/.exec(plain)![0];
    const never = randomBytes(16).toString('hex');
    for (const query of ['', '?w=10', '?expires=1', signed.slice(plain.length, -1), '?signature=']) {
      const expected = await shape(await fetch(plain.replace(key, never) + query), never);
      expect(await shape(await fetch(plain + query), key)).toEqual(expected);
    }
    expect((await fetch(signed)).status).toBe(200);
    // Nor is the key of any use in the other project.
    expect((await fetch(signed.replace(t.projects[0].ref, t.projects[1].ref))).status).toBe(404);
  });

  test('the address of one upload writes no other', async () => {
    const start = async (api: Client) =>
      (await api.post('/storage/direct-uploads', { name: 'a.txt', size: 3 })).body.data as {
        id: string;
        uploadUrl: string;
      };
    const [mine, hers, foreign] = [await start(bob.me), await start(ada.me), await start(t.projects[1].api)];
    const refOf = (project: 0 | 1) => t.projects[project].ref;
    for (const url of [
      mine.uploadUrl.replace(mine.id, hers.id),
      mine.uploadUrl.replace(mine.id, foreign.id),
      mine.uploadUrl.replace(refOf(0), refOf(1)),
      mine.uploadUrl.replace(mine.id, foreign.id).replace(refOf(0), refOf(1)),
      mine.uploadUrl.replace(/expires=\d+/, 'expires=9999999999'),
      mine.uploadUrl.replace(/signature=.*/, 'signature='),
      mine.uploadUrl.replace(mine.id, `${mine.id}%2f..%2f${hers.id}`),
      mine.uploadUrl.replace(/\?.*/, ''),
    ]) {
      const answer = await fetch(url, { method: 'PUT', body: 'bob' });
      expect([url, answer.status]).toEqual([url, 404]);
    }
    expect(await ada.me.post(`/storage/direct-uploads/${hers.id}/confirm`)).toFailWith(
      400,
      'upload_incomplete',
    );
  });

  test.each(['application/json', 'multipart/form-data; boundary=b', 'text/html'])(
    'the address takes a file that is said to be %s',
    async (type) => {
      const { body } = await bob.me.post('/storage/direct-uploads', { name: 'a.txt', size: 2 });
      const put = await fetch(body.data.uploadUrl, {
        method: 'PUT',
        body: '{}',
        headers: { 'content-type': type },
      });
      expect(put.status, await put.text()).toBe(200);
      expect((await bob.me.post(`/storage/direct-uploads/${body.data.id}/confirm`)).status).toBe(201);
    },
  );

  test('private means private in every way of sending, or the sender is told that it does not', async () => {
    const tus = new Resumable(t.url, { authorization: `Bearer ${ada.token}` });
    for (const wish of ['1', 'True', 'yes', ' true']) {
      expect((await upload(ada.me, 'a.txt', 'x', { private: wish })).status).toBe(400);
      const fields = { filename: 'a.txt', private: wish };
      await expect(tus.start(1, fields), `private=${wish}`).rejects.toThrow(/^400/);
    }
  });
});
