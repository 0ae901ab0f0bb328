// @postgres newest
import { randomBytes } from 'node:crypto';
import { Upload } from 'tus-js-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setTier } from '../../src/features/control/projects/index.ts';
import type { Client } from '../support/client.ts';
import { image } from '../support/files/contents.ts';
import { newPerson } from '../support/people/people.ts';
import { type TestApp, testApp } from '../support/test-app.ts';
import { storesUnderTest } from './stores.ts';

describe.each(storesUnderTest)('large uploads, $name', ({ open }) => {
  let t: TestApp;
  beforeAll(async () => {
    t = await testApp((await open()).settings);
  });
  afterAll(() => t[Symbol.asyncDispose]());

  const info = async () => (await t.api.get('/storage/info')).body.data as { files: number; used: number };

  describe('direct', () => {
    const start = async (api: Client, body: object) => api.post('/storage/direct-uploads', body);
    const put = (upload: { uploadUrl: string }, content: Buffer) =>
      fetch(upload.uploadUrl, { method: 'PUT', body: content });

    test('the bytes go to the address, and a file is made of them', async () => {
      const content = await image('png', 80, 60);
      const { status, body } = await start(t.api, { name: 'big.png', size: content.length, path: 'big/' });
      expect(status).toBe(201);
      expect(body.data.method).toBe('PUT');
      const early = await t.api.post(`/storage/direct-uploads/${body.data.id}/confirm`);
      expect(early).toFailWith(400, 'upload_incomplete');
      expect((await put(body.data, content)).status).toBe(200);
      const confirmed = await t.api.post(`/storage/direct-uploads/${body.data.id}/confirm`);
      expect(confirmed.status, confirmed.text).toBe(201);
      expect(confirmed.body.data).toMatchObject({
        id: body.data.id,
        name: 'big.png',
        path: 'big/',
        width: 80,
        height: 60,
      });
      const delivered = await fetch(confirmed.body.data.url);
      expect(Buffer.from(await delivered.arrayBuffer()).equals(content)).toBe(true);
      // Whoever still has the address cannot change the file.
      await put(body.data, Buffer.alloc(content.length, 'x'));
      expect(Buffer.from(await (await fetch(confirmed.body.data.url)).arrayBuffer()).equals(content)).toBe(
        true,
      );
      expect(await t.api.post(`/storage/direct-uploads/${body.data.id}/confirm`)).toFailWith(
        404,
        'upload_not_found',
      );
    });

    test('another size than announced is refused', async () => {
      const { body } = await start(t.api, { name: 'a.txt', size: 10 });
      expect((await put(body.data, Buffer.from('much more than ten bytes'))).ok).toBe(false);
      expect((await put(body.data, Buffer.from('few'))).ok).toBe(false);
      expect(await t.api.post(`/storage/direct-uploads/${body.data.id}/confirm`)).toFailWith(
        400,
        'upload_incomplete',
      );
    });

    test('content that is not what the name says comes to nothing', async () => {
      const before = await info();
      const { body } = await start(t.api, { name: 'a.png', size: 5 });
      await put(body.data, Buffer.from('plain'));
      expect(await t.api.post(`/storage/direct-uploads/${body.data.id}/confirm`)).toFailWith(
        400,
        'unsupported_file_type',
      );
      expect((await t.api.post(`/storage/direct-uploads/${body.data.id}/confirm`)).status).toBe(404);
      expect(await info()).toEqual(before);
    });

    test('what is announced is checked, and its space is held', async () => {
      const { ref, api } = await t.createProject();
      await setTier(t.control, ref, 'free', 100_000);
      const megabyte = 1_048_576;
      expect(await start(api, { name: 'a.exe', size: 1 })).toFailWith(400, 'unsupported_file_type');
      expect(await start(api, { name: '../a.txt', size: 1 })).toFailWith(400, 'invalid_file_name');
      expect(await start(api, { name: 'a.txt', size: 1, path: '/etc/' })).toFailWith(400, 'invalid_path');
      expect(await start(api, { name: 'a.txt', size: 10 * megabyte + 1 })).toFailWith(413, 'file_too_large');
      const answers = await Promise.all(
        Array.from({ length: 120 }, () => start(api, { name: 'a.txt', size: 10 * megabyte })),
      );
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(102);
      expect(answers.filter(({ body }) => body.error?.code === 'storage_full')).toHaveLength(18);
    });

    test('an app user has at most 10 under way', async () => {
      const { me } = await newPerson(t);
      const answers = [];
      for (let at = 0; at < 11; at += 1) answers.push(await start(me, { name: 'a.txt', size: 1 }));
      expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 10 }, () => 201), 429]);
      expect(answers[10]!).toFailWith(429, 'too_many_uploads');
      await put(answers[0]!.body.data, Buffer.from('a'));
      expect((await me.post(`/storage/direct-uploads/${answers[0]!.body.data.id}/confirm`)).status).toBe(201);
      expect((await start(me, { name: 'a.txt', size: 1 })).status).toBe(201);
    });

    test('an upload is its starter’s alone', async () => {
      const { me: ada } = await newPerson(t);
      const { me: bob } = await newPerson(t);
      const { body } = await start(ada, { name: 'a.txt', size: 3 });
      await put(body.data, Buffer.from('ada'));
      const confirm = `/storage/direct-uploads/${body.data.id}/confirm`;
      expect((await bob.post(confirm)).status).toBe(404);
      expect((await t.projects[1].api.post(confirm)).status).toBe(404);
      expect((await ada.post(confirm)).status).toBe(201);
    });
  });

  describe('resumable', () => {
    const endpoint = () => `${t.url}/storage/resumable`;
    const credentials = () => ({ 'X-API-Key': t.projects[0].apiKey });

    test('a standard client uploads in chunks, and the file is there', async () => {
      const content = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(13 * 1_048_576)]);
      const id = await new Promise<string>((end, fail) => {
        const upload = new Upload(content, {
          endpoint: endpoint(),
          headers: credentials(),
          chunkSize: 3_000_000,
          metadata: { filename: 'big.pdf', path: 'docs/' },
          onError: fail,
          onSuccess: () => end(upload.url!.split('/').at(-1)!),
        });
        upload.start();
      });
      const { body } = await t.api.get(`/storage/file/${id}`);
      expect(body.data).toMatchObject({ id, name: 'big.pdf', path: 'docs/', size: content.length });
      const delivered = Buffer.from(await (await fetch(body.data.url)).arrayBuffer());
      expect(delivered.equals(content)).toBe(true);
    });

    const tus = (
      method: string,
      path: string,
      headers: Record<string, string>,
      body?: Buffer,
      client = credentials(),
    ) =>
      fetch(`${t.url}${path}`, {
        method,
        headers: { 'Tus-Resumable': '1.0.0', ...client, ...headers },
        ...(body && { body: body }),
      });
    const metadata = (fields: Record<string, string>) =>
      Object.entries(fields)
        .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
        .join(',');
    const create = (size: number, fields: Record<string, string>, client = credentials()) =>
      tus(
        'POST',
        '/storage/resumable',
        { 'Upload-Length': String(size), 'Upload-Metadata': metadata(fields) },
        undefined,
        client,
      );
    const send = (location: string, offset: number, content: Buffer, client = credentials()) =>
      tus(
        'PATCH',
        location,
        { 'Upload-Offset': String(offset), 'Content-Type': 'application/offset+octet-stream' },
        content,
        client,
      );

    test('resumes where it was cut off, on another node too', async () => {
      const content = randomBytes(7 * 1_048_576);
      content.write('%PDF-1.7\n');
      const created = await create(content.length, { filename: 'a.pdf' });
      expect(created.status).toBe(201);
      const location = created.headers.get('location')!;
      expect(location).toMatch(/^\/storage\/resumable\/[0-9a-f-]{36}$/);
      // Cut in the middle of a body.
      const abort = new AbortController();
      const cutAt = 6_000_000;
      let taken = 0;
      const cut = fetch(`${t.url}${location}`, {
        method: 'PATCH',
        headers: {
          'Tus-Resumable': '1.0.0',
          ...credentials(),
          'Upload-Offset': '0',
          'Content-Type': 'application/offset+octet-stream',
        },
        body: new ReadableStream({
          pull(controller) {
            const from = taken;
            taken = Math.min(from + 65_536, cutAt);
            if (from < cutAt) controller.enqueue(content.subarray(from, taken));
            else setTimeout(() => abort.abort(), 300);
          },
        }),
        duplex: 'half',
        signal: abort.signal,
      }).catch(() => undefined);
      await cut;
      const node = await t.node();
      let offset = 0;
      await expect
        .poll(async () => {
          const head = await fetch(`${node.url}${location}`, {
            method: 'HEAD',
            headers: { 'Tus-Resumable': '1.0.0', ...credentials() },
          });
          offset = Number(head.headers.get('upload-offset'));
          return offset;
        })
        .toBeGreaterThan(0);
      const wrong = await send(location, offset + 1, Buffer.from('x'));
      expect(wrong.status).toBe(409);
      const rest = await fetch(`${node.url}${location}`, {
        method: 'PATCH',
        headers: {
          'Tus-Resumable': '1.0.0',
          ...credentials(),
          'Upload-Offset': String(offset),
          'Content-Type': 'application/offset+octet-stream',
        },
        body: content.subarray(offset),
      });
      expect(rest.status, await rest.text()).toBe(204);
      const id = rest.headers.get('plinth-file-id')!;
      const { body } = await t.api.get(`/storage/file/${id}`);
      const delivered = Buffer.from(await (await fetch(body.data.url)).arrayBuffer());
      expect(delivered.equals(content)).toBe(true);
    });

    test('has the checks of every upload', async () => {
      const before = await info();
      expect((await create(10, { filename: 'a.exe' })).status).toBe(400);
      expect((await create(10, {})).status).toBe(400);
      expect((await create(2 * 1024 ** 3, { filename: 'a.txt' })).status).toBe(413);
      expect((await create(10, { filename: 'a.txt', path: '../' })).status).toBe(400);
      const location = (await create(5, { filename: 'a.png' })).headers.get('location')!;
      const finished = await send(location, 0, Buffer.from('plain'));
      expect(finished.status).toBe(400);
      expect(await finished.json()).toMatchObject({ error: { code: 'unsupported_file_type' } });
      expect((await tus('HEAD', location, {})).status).toBe(404);
      expect(await info()).toEqual(before);
    });

    test('is its starter’s alone, and can be given up', async () => {
      const ada = await newPerson(t);
      const bob = await newPerson(t);
      const bearer = ({ token }: { token: string }) => ({ Authorization: `Bearer ${token}` }) as never;
      const created = await create(3, { filename: 'a.txt' }, bearer(ada));
      const location = created.headers.get('location')!;
      expect((await send(location, 0, Buffer.from('bob'), bearer(bob))).status).toBe(404);
      expect((await tus('DELETE', location, {}, undefined, bearer(bob))).status).toBe(404);
      expect((await tus('DELETE', location, {}, undefined, bearer(ada))).status).toBe(204);
      expect((await send(location, 0, Buffer.from('ada'), bearer(ada))).status).toBe(404);
      expect(
        (await fetch(endpoint(), { method: 'POST', headers: { 'Tus-Resumable': '1.0.0' } })).status,
      ).toBe(401);
    });
  });
});
