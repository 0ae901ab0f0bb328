// @postgres newest
import { EventEmitter } from 'node:events';
import { Socket } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { setTier } from '../../../src/features/control/projects/index.ts';
import { watchBodies } from '../../../src/platform/http/watch-bodies.ts';
import { Client } from '../../support/client.ts';
import { newCollection } from '../../support/data/new-collection.ts';
import { file, sendForm, upload } from '../../support/files/forms.ts';
import { useTestApp } from '../../support/test-app.ts';
import { expectTidy, leaveRoom, usageOf } from './files-probes.ts';
import { metadata, Resumable, slowBody } from './files-resumable.ts';

const t = useTestApp();

const limit = 10 * 1_048_576;

async function freeProject() {
  const project = await t.createProject();
  await setTier(t.control, project.ref, 'free', 100_000);
  const tus = new Resumable(t.url, { 'X-API-Key': project.apiKey });
  return { ...project, tus };
}

describe('U4: the size of a file', () => {
  test('one byte too many is refused in every way of sending, and nothing stays', async () => {
    const { api, tus } = await freeProject();
    const { path } = await newCollection(api);
    const tooLarge = Buffer.alloc(limit + 1, 'x');
    const form = await sendForm(api, 'POST', path, [
      ['a', file('a.txt', 'a')],
      ['b', file('b.txt', tooLarge)],
    ]);
    const answers = [
      (await upload(api, 'a.txt', tooLarge)).status,
      form.status,
      (await api.post('/storage/direct-uploads', { name: 'a.txt', size: limit + 1 })).status,
      (await api.post('/storage/direct-uploads', { name: 'a.txt', size: 1e300 })).status,
      (await tus.create(String(limit + 1), metadata({ filename: 'a.txt' }))).status,
    ];
    expect(answers).toEqual([413, 413, 413, 413, 413]);
    expect(await usageOf(api)).toMatchObject({ files: 0, used: 0 });
    await expectTidy(t);
  });

  test('a resumable upload takes no byte more than it announced, whatever the headers say', async () => {
    const { api, tus } = await freeProject();
    const location = await tus.start(10, { filename: 'a.txt' });
    expect((await tus.send(location, 0, 'eleven bytes')).status).toBe(413);
    const endless = slowBody();
    for (let n = 0; n < 5; n += 1) endless.push('4444');
    endless.end();
    const chunked = await tus.send(location, 0, endless.body);
    expect(chunked.status, await chunked.text()).toBe(413);
    const offset = Number((await tus.head(location)).headers.get('upload-offset'));
    expect(offset).toBeLessThanOrEqual(10);
    expect((await tus.send(location, offset, 'x'.repeat(10 - offset))).status).toBe(204);
    expect(await usageOf(api)).toMatchObject({ files: 1, used: 10 });
  });
});

describe('U4: the size of all files', () => {
  test('holds exactly on two nodes, whichever way files are sent', async () => {
    const { ref, cell, api, apiKey } = await freeProject();
    const { path } = await newCollection(api);
    const { url } = await t.node();
    await leaveRoom(t, { ref, cell }, 7500);
    const content = 'x'.repeat(1000);
    const started: (() => Promise<number>)[] = [];
    const ways = [t.url, url].flatMap((node) => {
      const client = new Client(node, { 'x-api-key': apiKey });
      const tus = new Resumable(node, { 'x-api-key': apiKey });
      return [
        async () => (await upload(client, 'a.txt', content)).status,
        async () => (await sendForm(client, 'POST', path, [['f', file('a.txt', content)]])).status,
        async () => {
          const { status, body } = await client.post('/storage/direct-uploads', {
            name: 'a.txt',
            size: 1000,
          });
          if (status !== 201) return status;
          await fetch(body.data.uploadUrl, { method: 'PUT', body: content });
          started.push(
            async () => (await api.post(`/storage/direct-uploads/${body.data.id}/confirm`)).status,
          );
          return 201;
        },
        async () => {
          const answer = await tus.create('1000', metadata({ filename: 'a.txt' }));
          const location = answer.headers.get('location')!;
          if (answer.status === 201) started.push(async () => (await tus.send(location, 0, content)).status);
          return answer.status;
        },
      ];
    });
    const calls = Array.from({ length: 5 }, () => ways).flat();
    const statuses = await Promise.all(calls.map((call) => call()));
    expect(statuses.filter((status) => status === 201)).toHaveLength(7);
    expect(statuses.filter((status) => status === 413)).toHaveLength(calls.length - 7);
    // What was promised is kept, though the project is full by now.
    for (const finish of started) expect([201, 204]).toContain(await finish());
    expect((await usageOf(api)).available).toBe(500);
    expect(await upload(api, 'a.txt', content)).toFailWith(413, 'storage_full');
  });

  test('a file in the place of another fits where that one was, also in a project that is full to the byte', async () => {
    const { ref, cell, api } = await freeProject();
    const { path } = await newCollection(api);
    const { body } = await sendForm(api, 'POST', path, [['f', file('a.txt', 'four')]]);
    await leaveRoom(t, { ref, cell }, 0);
    const patched = await sendForm(api, 'PATCH', `${path}/${body.data.id}`, [['f', file('a.txt', 'also')]]);
    expect(patched.status, patched.text).toBe(200);
    const larger = await sendForm(api, 'PATCH', `${path}/${body.data.id}`, [['f', file('a.txt', 'fiver')]]);
    expect(larger).toFailWith(413, 'storage_full');
    expect((await fetch(patched.body.data.f)).status).toBe(200);
  });
});

describe('U4: senders of files', () => {
  afterEach(() => vi.useRealTimers());

  /** A call as the server sees it, whose sender sends so many bytes in each second. */
  function sending(bytesInSecond: (second: number) => number, contentType: string): () => number | undefined {
    vi.useFakeTimers();
    const hooks = new Map<string, (...args: unknown[]) => void>();
    let second = 0;
    let refusedAt: number | undefined;
    const addHook = (name: string, hook: never) => hooks.set(name, hook);
    watchBodies({ addHook } as never, () => {
      refusedAt ??= second;
    });
    let bytesRead = 500;
    const raw = Object.assign(new EventEmitter(), {
      headers: { 'content-type': contentType, 'content-length': '1000000000' },
      socket: Object.defineProperty(new Socket(), 'bytesRead', { get: () => bytesRead }),
      readableLength: 0,
      complete: false,
    });
    const reply = { raw: new EventEmitter() };
    hooks.get('onRequest')!({ raw, routeOptions: { config: { takesFiles: true } } }, reply, () => {});
    for (; second < 600; second += 1) {
      bytesRead += bytesInSecond(second);
      vi.advanceTimersByTime(1000);
    }
    return () => refusedAt;
  }

  const form = 'multipart/form-data; boundary=b';
  test.each<[string, string, (second: number) => number, number | undefined]>([
    ['nothing', form, () => 0, 30],
    ['9 KB a second', form, () => 9 * 1024, 30],
    ['11 KB a second', form, () => 11 * 1024, undefined],
    ['100 MB, and then nothing', form, (second) => (second === 0 ? 1e8 : 0), 60],
    ['1 KB a second from the fifth minute on', form, (second) => (second < 300 ? 1e6 : 1024), 330],
    ['JSON, however fast', 'application/json', () => 1e6, 30],
  ])('one who sends %s', (_what, contentType, bytes, seconds) => {
    const at = sending(bytes, contentType)();
    if (seconds === undefined) expect(at).toBeUndefined();
    else expect(Math.abs(at! - seconds)).toBeLessThanOrEqual(1);
  });
});
