import { readdir } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { setTier, setUploads } from '../../src/features/control/projects/index.ts';
import type { Client } from '../support/client.ts';
import { gzip, image, mov, mp4, pdf, svg, webm, zip } from '../support/files/contents.ts';
import { file, sendForm, upload } from '../support/files/forms.ts';
import { untilNoLooseBytes } from '../support/files/loose.ts';
import { newPerson } from '../support/people/people.ts';
import { useTestApp } from '../support/test-app.ts';

const t = useTestApp();
let api: Client;

async function project() {
  const made = await t.createProject();
  ({ api } = made);
  return made;
}

describe('uploading', () => {
  test('answers with the record, and the URL gives the bytes to anyone', async () => {
    const { ref } = await project();
    const png = await image('png', 64, 48);
    const { status, body } = await upload(api, 'cat.png', png, { path: 'pets/cats' });
    expect(status).toBe(201);
    expect(body.data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'cat.png',
      path: 'pets/cats/',
      size: png.length,
      contentType: 'image/png',
      width: 64,
      height: 48,
      url: expect.stringMatching(new RegExp(`^http://localhost:\\d+/files/${ref}/[0-9a-f]{32}\\.png$`)),
      createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
    });
    const answer = await fetch(body.data.url);
    expect(answer.status).toBe(200);
    expect(Buffer.from(await answer.arrayBuffer()).equals(png)).toBe(true);
    expect((await api.get(`/storage/file/${body.data.id}`)).body.data).toEqual(body.data);
  });

  test('takes every type of the list, by content and extension', async () => {
    await project();
    const files: [string, Buffer | string, string][] = [
      ['a.jpg', await image('jpeg'), 'image/jpeg'],
      ['a.JPEG', await image('jpeg'), 'image/jpeg'],
      ['a.png', await image('png'), 'image/png'],
      ['a.webp', await image('webp'), 'image/webp'],
      ['a.gif', await image('gif'), 'image/gif'],
      ['a.svg', svg, 'image/svg+xml'],
      ['a.pdf', pdf, 'application/pdf'],
      [
        'a.docx',
        zip('[Content_Types].xml'),
        'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      ],
      ['a.txt', 'hello', 'text/plain'],
      ['empty.txt', '', 'text/plain'],
      ['a.csv', 'a;b\n1;é\n', 'text/csv'],
      ['latin.csv', Buffer.from('a;b\n1;é\n', 'latin1'), 'text/csv'],
      ['a.mp4', mp4, 'video/mp4'],
      ['a.mov', mov, 'video/quicktime'],
      ['a.webm', webm, 'video/webm'],
      ['a.zip', zip(), 'application/zip'],
      ['a.tar.gz', gzip, 'application/gzip'],
      ['a.tgz', gzip, 'application/gzip'],
    ];
    for (const [name, content, contentType] of files) {
      const { status, body } = await upload(api, name, content);
      expect([name, status, body.data?.contentType]).toEqual([name, 201, contentType]);
    }
    const { data } = (await api.get('/storage/info')).body;
    expect(data.files).toBe(files.length);
    expect(data.byType['text/csv']).toEqual({ files: 2, bytes: 9 + 8 });
  });

  test('says what is wrong with the form', async () => {
    await project();
    const png = await image('png');
    const refused: [
      string,
      Promise<{ status: number; body: { error: { code: string; message: string } } }>,
      RegExp,
    ][] = [
      ['no file', sendForm(api, 'POST', '/storage/upload', [['path', 'a/']]), /"file"/],
      ['another name', sendForm(api, 'POST', '/storage/upload', [['image', file('a.png', png)]]), /"file"/],
      [
        'two',
        sendForm(api, 'POST', '/storage/upload', [
          ['file', file('a.png', png)],
          ['file', file('b.png', png)],
        ]),
        /one file/,
      ],
      ['text', sendForm(api, 'POST', '/storage/upload', [['file', 'just text']]), /"file"/],
      ['unknown part', upload(api, 'a.png', png, { folder: 'a/' }), /folder/],
      ['private', upload(api, 'a.png', png, { private: 'yes' }), /true or false/],
      ['JSON', api.post('/storage/upload', { file: 'a.png' }), /multipart/],
    ];
    for (const [what, call, said] of refused) {
      const { status, body } = await call;
      expect({ status, body }, what).toFailWith(400, 'invalid_body');
      expect(body.error.message).toMatch(said);
    }
    await untilNoLooseBytes(t);
    expect((await api.get('/storage/info')).body.data).toMatchObject({ files: 0, used: 0 });
  });

  test('a retry with the same Idempotency-Key stores nothing twice; another content is a mismatch', async () => {
    await project();
    const send = (content: string) =>
      sendForm(api, 'POST', '/storage/upload', [['file', file('a.txt', content)]], {
        'idempotency-key': 'once',
      });
    const first = await send('one');
    const second = await send('one');
    expect(second.status).toBe(201);
    expect(second.body.data).toEqual(first.body.data);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(await send('two')).toFailWith(400, 'idempotency_mismatch');
    expect((await api.get('/storage/info')).body.data).toMatchObject({ files: 1, used: 3 });
    await untilNoLooseBytes(t);
  });
});

describe('limits', () => {
  test('a file over the limit of the tier is 413 and leaves nothing', async () => {
    const { ref } = await project();
    await setTier(t.control, ref, 'free', 100_000);
    const limit = 10 * 1_048_576;
    expect((await upload(api, 'a.txt', Buffer.alloc(limit, 'x'))).status).toBe(201);
    const { status, body } = await upload(api, 'a.txt', Buffer.alloc(limit + 1, 'x'));
    expect([status, body.error.code, body.error.details]).toEqual([413, 'file_too_large', { limit }]);
    await untilNoLooseBytes(t);
    expect((await api.get('/storage/info')).body.data).toEqual({
      used: limit,
      limit: 1024 * 1_048_576,
      available: 1014 * 1_048_576,
      files: 1,
      byType: { 'text/plain': { files: 1, bytes: limit } },
    });
  });

  test('the total holds exactly under 20 uploads at once', async () => {
    const { ref, cell } = await project();
    await setTier(t.control, ref, 'free', 100_000);
    const size = 1_048_576;
    // Room for 7 more files.
    await t.cells
      .pool(cell)
      .query(`INSERT INTO cell.storage_usage (project_id, bytes) SELECT $1, $2`, [
        await projectId(ref),
        1024 * size - 7 * size - 100,
      ]);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => upload(api, `${at}.txt`, Buffer.alloc(size, 'x'))),
    );
    const codes = answers.map(({ status, body }) =>
      status === 201 ? 'stored' : `${status} ${body.error.code}`,
    );
    expect(codes.filter((code) => code === 'stored')).toHaveLength(7);
    expect(codes.filter((code) => code === '413 storage_full')).toHaveLength(13);
    const { data } = (await api.get('/storage/info')).body;
    expect(data.available).toBe(100);
    await untilNoLooseBytes(t);
  });
});

describe('listing', () => {
  test('the files of a folder, newest first, with its folders and the total', async () => {
    await project();
    for (const path of ['', 'a/', 'a/', 'a/', 'a/b/', 'a/b/c/', 'a/d/', 'ab/', 'z/y/x/']) {
      const answer = await upload(api, 'f.txt', path, { path });
      expect(answer.status).toBe(201);
    }
    const list = async (query: string) => (await api.get(`/storage/list${query}`)).body;
    expect(await list('')).toMatchObject({ total: 1, folders: ['a/', 'ab/', 'z/'], hasMore: false });
    expect(await list('?path=a/')).toMatchObject({ total: 3, folders: ['a/b/', 'a/d/'] });
    expect(await list('?path=a')).toMatchObject({ total: 3, folders: ['a/b/', 'a/d/'] });
    expect(await list('?path=a/b')).toMatchObject({ total: 1, folders: ['a/b/c/'] });
    expect(await list('?path=z')).toMatchObject({ total: 0, data: [], folders: ['z/y/'] });
    expect(await list('?path=nowhere')).toMatchObject({ total: 0, data: [], folders: [] });
    const first = await list('?path=a/&limit=2');
    expect(first).toMatchObject({ total: 3, limit: 2, offset: 0, hasMore: true });
    const rest = await list('?path=a/&limit=2&offset=2');
    expect(rest).toMatchObject({ total: 3, hasMore: false });
    const times = [...first.data, ...rest.data].map(({ createdAt }: { createdAt: string }) => createdAt);
    expect(times).toEqual(times.toSorted().toReversed());
    expect(new Set([...first.data, ...rest.data].map(({ id }: { id: string }) => id)).size).toBe(3);
    expect(await api.get('/storage/list?path=../x')).toFailWith(400, 'invalid_path');
    expect(await api.get('/storage/list?color=red')).toFailWith(400, 'invalid_query');
  });
});

describe('deleting', () => {
  test('the record goes with the call, the bytes right after it', async () => {
    await project();
    const { body } = await upload(api, 'a.txt', 'hello');
    const { id, url } = body.data;
    expect((await api.delete(`/storage/file/${id}`)).body.data).toEqual({ id, deleted: true });
    expect((await fetch(url)).status).toBe(404);
    expect(await api.delete(`/storage/file/${id}`)).toFailWith(404, 'file_not_found');
    expect((await api.get('/storage/info')).body.data).toMatchObject({ files: 0, used: 0, byType: {} });
    await untilNoLooseBytes(t);
    const left = await readdir(t.config.FILES_FOLDER!, { recursive: true });
    expect(left.filter((name) => name.includes(id))).toEqual([]);
  });
});

describe('app users', () => {
  test('upload, see and delete their own files only', async () => {
    const { me: ada, id } = await newPerson(t);
    const { me: bob } = await newPerson(t);
    const { body } = await upload(ada, 'ada.txt', 'hers');
    expect(body.data.uploadedBy).toBe(id);
    await upload(t.api, 'server.txt', 'the server’s');
    expect((await ada.get('/storage/list')).body).toMatchObject({ total: 1, data: [{ id: body.data.id }] });
    expect((await bob.get('/storage/list')).body).toMatchObject({ total: 0, data: [] });
    expect((await t.api.get('/storage/list')).body.total).toBe(2);
    expect((await bob.delete(`/storage/file/${body.data.id}`)).status).toBe(404);
    expect((await bob.get(`/storage/file/${body.data.id}`)).status).toBe(404);
    expect(await ada.get('/storage/info')).toFailWith(403, 'api_key_required');
    expect((await ada.delete(`/storage/file/${body.data.id}`)).status).toBe(200);
  });

  test('cannot upload where the project leaves it to its server', async () => {
    const [{ ref }] = t.projects;
    const { me } = await newPerson(t);
    await setUploads(t.control, ref, 'server');
    expect(await upload(me, 'a.txt', 'a')).toFailWith(403, 'uploads_closed');
    expect((await upload(t.api, 'a.txt', 'a')).status).toBe(201);
    await setUploads(t.control, ref, 'users');
    expect((await upload(me, 'a.txt', 'a')).status).toBe(201);
  });
});

async function projectId(ref: string): Promise<string> {
  const { rows } = await t.cells.pool(1).query('SELECT id FROM control.projects WHERE ref = $1', [ref]);
  return rows[0].id;
}
