// @postgres newest
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { FolderStore } from '../../../src/platform/blobs/folder/folder-store.ts';
import { Client } from '../../support/client.ts';
import { useTestApp } from '../../support/test-app.ts';
import { orphans, usageOf } from './files-probes.ts';
import { Resumable, slowBody } from './files-resumable.ts';

const t = useTestApp();
let other: Client;
let tus: Resumable;
let otherTus: Resumable;
beforeAll(async () => {
  const { url } = await t.node();
  const key = { 'x-api-key': t.projects[0].apiKey };
  other = new Client(url, key);
  [tus, otherTus] = [new Resumable(t.url, key), new Resumable(url, key)];
});
const atEnd: (() => void)[] = [];
afterEach(() => {
  for (const open of atEnd.splice(0)) open();
  vi.restoreAllMocks();
});

const statuses = (replies: readonly { status: number }[]) => replies.map(({ status }) => status);
const count = (replies: readonly { status: number }[], wanted: number) =>
  statuses(replies).filter((status) => status === wanted).length;
const contentOf = async (id: string) =>
  (await fetch((await t.api.get(`/storage/file/${id}`)).body.data.url)).text();

/** Holds calls of a store's method back until they are let go, at the latest after the test. */
function holdBack(method: 'copy' | 'finishAppend') {
  const original = FolderStore.prototype[method] as (...args: unknown[]) => Promise<never>;
  const held: (() => void)[] = [];
  let isOpen = false;
  const open = () => {
    isOpen = true;
    for (const letGo of held) letGo();
  };
  atEnd.push(open);
  vi.spyOn(FolderStore.prototype, method).mockImplementation(async function (
    this: FolderStore,
    ...args: unknown[]
  ) {
    if (!isOpen) await new Promise<void>((letGo) => held.push(letGo));
    return original.apply(this, args);
  });
  /** Waits for so many calls, but only a moment after the first: another may have to wait for it elsewhere. */
  const until = async (calls: number) => {
    let giveUpAt = Infinity;
    const isTime = () => {
      if (held.length > 0 && giveUpAt === Infinity) giveUpAt = performance.now() + 1000;
      return held.length >= calls || performance.now() > giveUpAt;
    };
    await expect.poll(isTime, { interval: 5 }).toBe(true);
  };
  return { until, open, letGo: (at: number) => held[at]?.() };
}

describe('U4: uploads straight to the store', () => {
  const text = 'good text';
  async function started(name: string) {
    const { body } = await t.api.post('/storage/direct-uploads', { name, size: text.length });
    const { id, uploadUrl } = body.data as { id: string; uploadUrl: string };
    const put = (content: string | ReadableStream) =>
      fetch(uploadUrl, { method: 'PUT', body: content as string, duplex: 'half' });
    expect((await put(text)).status).toBe(200);
    return { id, put, confirm: (api = t.api) => api.post(`/storage/direct-uploads/${id}/confirm`) };
  }

  test('50 confirmations at once on two nodes make one file', async () => {
    const before = await usageOf(t.api);
    const { id, confirm } = await started('a.txt');
    const answers = await Promise.all(Array.from({ length: 50 }, (_, at) => confirm(at % 2 ? other : t.api)));
    expect([count(answers, 201), count(answers, 404)]).toEqual([1, 49]);
    expect(await contentOf(id)).toBe(text);
    expect(await usageOf(t.api)).toMatchObject({ files: before.files + 1, used: before.used + text.length });
  });

  test('what arrives while the file is confirmed twice does not change it', async () => {
    const { id, put, confirm } = await started('a.txt');
    const late = slowBody();
    const putting = put(late.body);
    late.push('\0\0EVIL');
    const copies = holdBack('copy');
    const confirming = [confirm(), confirm(other)];
    await copies.until(2);
    copies.letGo(0);
    expect((await Promise.race(confirming)).status).toBe(201);
    late.push('!!!');
    late.end();
    await putting;
    copies.open();
    await Promise.all(confirming);
    expect(await contentOf(id)).toBe(text);
  });

  test('bytes of an upload that was given up meanwhile do not come back', async () => {
    const { id, confirm } = await started('a.png');
    const copies = holdBack('copy');
    const confirming = [confirm(), confirm(other)];
    await copies.until(2);
    copies.letGo(0);
    await Promise.race(confirming);
    copies.open();
    const answers = await Promise.all(confirming);
    for (const { status, text } of answers) expect([400, 404], text).toContain(status);
    expect((await orphans(t)).filter((name) => name.includes(id))).toEqual([]);
  });
});

describe('U4: uploads in pieces', () => {
  test('parallel pieces on two nodes: one counts, and no byte is wrong', async () => {
    const location = await tus.start(30, { filename: 'a.txt' });
    for (let offset = 0; offset < 30; offset += 10) {
      const pieces = ['aaaaaaaaaa', 'bbbbbbbbbb', 'cccccccccc', 'dddddddddd'];
      const answers = await Promise.all(
        pieces.map((piece, at) => (at % 2 ? tus : otherTus).send(location, offset, piece)),
      );
      expect([offset, count(answers, 204), count(answers, 409)]).toEqual([offset, 1, 3]);
    }
    const content = await contentOf(location.split('/').at(-1)!);
    expect(content).toMatch(/^(a{10}|b{10}|c{10}|d{10}){3}$/);
  });

  test('a call that comes while the file is being made does not fail', async () => {
    const before = await usageOf(t.api);
    const location = await tus.start(5, { filename: 'a.txt' });
    const finishing = holdBack('finishAppend');
    const last = tus.send(location, 0, 'hello');
    await finishing.until(1);
    const asking = [tus.head(location), otherTus.head(location)];
    // They may wait for the first, or make the file themselves.
    await finishing.until(3);
    finishing.open();
    expect(statuses(await Promise.all([last, ...asking]))).toEqual([204, 200, 200]);
    expect((await usageOf(t.api)).files).toBe(before.files + 1);
  });

  test('a piece and a farewell at once leave all or nothing', async () => {
    const before = await usageOf(t.api);
    const lying = await orphans(t);
    let stored = 0;
    for (let n = 0; n < 8; n += 1) {
      const location = await tus.start(5, { filename: 'a.txt' });
      const [sent, dropped] = await Promise.all([tus.send(location, 0, 'hello'), otherTus.drop(location)]);
      expect([204, 404]).toContain(sent.status);
      expect([204, 404]).toContain(dropped.status);
      const isThere = (await t.api.get(`/storage/file/${location.split('/').at(-1)}`)).status === 200;
      expect(isThere).toBe(sent.status === 204);
      if (isThere) stored += 1;
    }
    expect((await usageOf(t.api)).files).toBe(before.files + stored);
    expect(await orphans(t)).toEqual(lying);
  });

  test('a finished file cannot be changed', async () => {
    const location = await tus.start(5, { filename: 'a.txt' });
    expect((await tus.send(location, 0, 'hello')).status).toBe(204);
    expect((await tus.send(location, 0, 'EVIL!')).status).toBe(409);
    expect((await tus.send(location, 5, 'EVIL!')).status).toBe(413);
    expect([204, 404]).toContain((await tus.send(location, 5, '')).status);
    expect((await tus.drop(location)).status).toBe(404);
    expect(await contentOf(location.split('/').at(-1)!)).toBe('hello');
  });
});
