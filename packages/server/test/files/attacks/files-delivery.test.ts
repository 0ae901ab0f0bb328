// @postgres newest
import { randomBytes } from 'node:crypto';
import { readdir, readlink } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Vault } from '../../../src/platform/crypto/vault.ts';
import { image } from '../../support/files/contents.ts';
import { upload } from '../../support/files/forms.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();

const stored = async (name: string, content: Buffer | string, fields: Record<string, string> = {}) =>
  (await upload(t.api, name, content, fields)).body.data as { id: string; url: string };
const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer());

interface Slice {
  readonly start: number;
  readonly end: number;
}

/** What RFC 9110 makes of a Range header: those of its ranges that lie in the file; undefined: it is none. */
function slicesOf(header: string, size: number): Slice[] | undefined {
  const [, list] = /^bytes=(.*)$/.exec(header) ?? [];
  if (list === undefined) return undefined;
  const slices: Slice[] = [];
  for (const spec of list.split(',').map((text) => text.trim())) {
    // Spaces are nothing that anybody could take for something else.
    const [, first = '', last = ''] = /^(\d*) *- *(\d*)$/.exec(spec) ?? [];
    if (first === '' && last === '') return undefined;
    const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
    const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
    // One that ends before it starts may be passed over as well as called beyond the end.
    if (start <= end) slices.push({ start, end });
  }
  return slices;
}

async function expectRight(url: string, content: Buffer, range: string): Promise<void> {
  const answer = await fetch(url, { headers: { range } });
  const body = await bytesOf(answer);
  const slices = slicesOf(range.trim(), content.length);
  const told = answer.headers.get('content-range');
  const said = `${range}: ${answer.status} ${told}`;
  if (answer.status === 206) {
    const [, start, end, size] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(told ?? '') ?? [];
    expect(Number(size), said).toBe(content.length);
    expect(slices, said).toContainEqual({ start: Number(start), end: Number(end) });
    expect(body.equals(content.subarray(Number(start), Number(end) + 1)), said).toBe(true);
  } else if (answer.status === 416) {
    expect(slices ?? [], said).toEqual([]);
    expect(told, said).toBe(`bytes */${content.length}`);
  } else {
    expect([answer.status, told], said).toEqual([200, null]);
    expect(body.equals(content), said).toBe(true);
    // One range that can be given should be.
    if (slices) expect(range.includes(',') || slices.length === 0, said).toBe(true);
  }
}

const number = fc.oneof(
  fc.nat(60).map(String),
  fc.constantFrom(
    '',
    '00',
    '007',
    '4294967296',
    '99999999999999999999',
    '1e1',
    '0x1',
    '-1',
    '+1',
    ' 1',
    '１',
  ),
);
const spec = fc
  .tuple(number, fc.constantFrom('-', '-', '-', '', '--', '–'), number)
  .map((parts) => parts.join(''));
const odd = fc.constantFrom(
  'bytes=',
  'bytes=,',
  'bytes',
  'Bytes=0-1',
  'lines=0-1',
  'bytes = 0-1',
  'bytes=0-1;q=1',
);
const ranges = fc
  .oneof(
    fc.array(spec, { minLength: 1, maxLength: 3 }).map((specs) => `bytes=${specs.join(',')}`),
    spec.map((one) => `bytes=${one}`),
    odd,
    fc.string({ maxLength: 20 }),
  )
  // What fetch would not send is no header.
  .filter((text) => /^[\x20-\x7e]+$/.test(text) && text.trim() !== '');

describe('U4: ranges', () => {
  test('any Range header gives the whole, exactly the part asked for, or word that there is none', async () => {
    const content = randomBytes(48);
    content.write('%PDF-');
    const { url } = await stored('a.pdf', content);
    await fc.assert(
      fc.asyncProperty(ranges, (range) => expectRight(url, content, range)),
      {
        numRuns: 400,
        examples: [
          ['bytes=-48'],
          ['bytes=-49'],
          ['bytes=-0'],
          ['bytes=48-'],
          ['bytes=0-,-1'],
          ['bytes=-0,-49'],
        ],
      },
    );
  });

  test('of nothing there is no part', async () => {
    const { url } = await stored('empty.txt', '');
    for (const range of ['bytes=0-', 'bytes=0-0', 'bytes=-1', 'bytes=-0'])
      await expectRight(url, Buffer.alloc(0), range);
  });

  test('of several megabytes, and of an image made smaller', async () => {
    const large = randomBytes(3_000_000);
    large.write('%PDF-');
    const { url } = await stored('a.pdf', large);
    const small = `${(await stored('a.png', await image('png', 300, 200))).url}?w=50`;
    const whole = await bytesOf(await fetch(small));
    for (let n = 0; n < 15; n += 1) {
      const [from, to] = [Math.random() * 3_100_000, Math.random() * 3_100_000].map(Math.floor) as [
        number,
        number,
      ];
      await expectRight(url, large, `bytes=${from}-${to}`);
      await expectRight(small, whole, `bytes=${from % whole.length}-${to % whole.length}`);
    }
  });
});

describe('U5: signatures', () => {
  test('every change of a signed URL makes the file disappear', async () => {
    const { id } = await stored('a.txt', 'hush', { private: 'true' });
    const other = await stored('b.txt', 'other', { private: 'true' });
    const sign = async (file: string) =>
      (await t.api.post(`/storage/file/${file}/signed-url`, {})).body.data.url as string;
    const signed = await sign(id);
    expect((await fetch(signed)).status).toBe(200);
    const [, base, expires, signature] = /^(.*)\?expires=(\d+)&signature=(.*)$/.exec(signed)!;
    const [, , otherExpires, otherSignature] = /^(.*)\?expires=(\d+)&signature=(.*)$/.exec(
      await sign(other.id),
    )!;
    const direct = (await t.api.post('/storage/direct-uploads', { name: 'a.txt', size: 1 })).body.data
      .uploadUrl as string;
    const wrong = [
      ...Array.from(signature!, (char, at) => [
        expires!,
        `${signature!.slice(0, at)}${char === 'A' ? 'B' : 'A'}${signature!.slice(at + 1)}`,
      ]),
      ...[
        '',
        signature!.slice(1),
        signature!.slice(0, -1),
        `${signature}=`,
        `${signature}A`,
        signature!.toLowerCase(),
        '%00',
        'null',
      ].map((forged) => [expires!, forged]),
      ...[
        '',
        '0',
        '-1',
        'NaN',
        'Infinity',
        '1e99',
        '99999999999',
        `${Number(expires) + 1}`,
        `${expires}.5`,
      ].map((forged) => [forged, signature!]),
      [otherExpires!, otherSignature!],
      [expires!, /signature=(.*)$/.exec(direct)![1]!],
    ];
    for (const [expires, signature] of wrong as [string, string][]) {
      const { status } = await fetch(`${base}?expires=${expires}&signature=${signature}`);
      expect([expires, signature, status]).toEqual([expires, signature, 404]);
    }
  });

  test('one that was right and is over is 403, for HEAD, ranges and images as well', async () => {
    const { id } = await stored('a.png', await image('png'), { private: 'true' });
    const signed = (await t.api.post(`/storage/file/${id}/signed-url`, {})).body.data.url as string;
    const base = signed.replace(/\?.*/, '');
    const key = /[0-9a-f]{32}/.exec(base)![0];
    const vault = new Vault(t.config.SECRET_KEY);
    const until = (expires: number) =>
      `${base}?expires=${expires}&signature=${vault.sign(`file\n${key}\n${expires}`)}`;
    const now = Math.floor(Date.now() / 1000);
    expect((await fetch(until(now + 60))).status).toBe(200);
    for (const over of [until(now - 1), until(1), `${until(now - 1)}&w=10`]) {
      expect((await fetch(over, { method: 'HEAD' })).status).toBe(403);
      expect((await fetch(over, { headers: { range: 'bytes=0-1' } })).status).toBe(403);
      expect(await (await fetch(over)).json()).toMatchObject({ error: { code: 'link_expired' } });
    }
  });
});

/** Files of the store that this process has open. */
async function openFiles(): Promise<string[]> {
  const links = await Promise.all(
    (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
  );
  return links.filter((path) => path.startsWith(t.config.FILES_FOLDER!));
}

test('U3: readers that hang up, and uploads that are refused, leave no file open', async () => {
  const { url } = await stored('a.txt', Buffer.alloc(8_000_000, 'x'));
  for (let n = 0; n < 20; n += 1) {
    const abort = new AbortController();
    const answer = await fetch(url, { signal: abort.signal });
    if (n % 2) await answer.body!.getReader().read();
    abort.abort();
    await fetch(url, { signal: AbortSignal.timeout(1) }).catch(() => {});
    await fetch(url, { method: 'HEAD' });
    await fetch(url, { headers: { 'if-none-match': '*' } });
  }
  const { body } = await t.api.post('/storage/direct-uploads', { name: 'a.txt', size: 2 });
  for (const [type, content] of [
    ['application/json', '{}'],
    ['text/plain', 'x'],
    ['text/plain', 'xxx'],
    ['multipart/form-data; boundary=b', '{}'],
  ] as const) {
    await fetch(body.data.uploadUrl, { method: 'PUT', body: content, headers: { 'content-type': type } });
  }
  await expect.poll(openFiles).toEqual([]);
});
