// @postgres newest
import { beforeAll, describe, expect, test } from 'vitest';
import { image, pdf, svg, zip } from '../support/files/contents.ts';
import { upload } from '../support/files/forms.ts';
import { newPerson } from '../support/people/people.ts';
import { useTestApp } from '../support/test-app.ts';

const t = useTestApp();

async function stored(name: string, content: Buffer | string, fields: Record<string, string> = {}) {
  const { body } = await upload(t.api, name, content, fields);
  return body.data as { id: string; url: string };
}

const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer());

describe('a public file', () => {
  const content = 'The quick brown fox jumps over the lazy dog.';
  let url: string;
  beforeAll(async () => {
    ({ url } = await stored('fox.txt', content));
  });

  test('is served for ever, to any origin, and never as anything else', async () => {
    const answer = await fetch(url, { headers: { origin: 'https://anywhere.example' } });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe(content);
    const headers = Object.fromEntries(answer.headers);
    expect(headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-length': String(content.length),
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'accept-ranges': 'bytes',
      'content-disposition': 'inline; filename=fox.txt',
    });
    expect(headers.etag).toMatch(/^"[0-9a-f]{32}"$/);
    expect(headers['set-cookie']).toBeUndefined();
  });

  test('HEAD answers as GET does, without the body', async () => {
    const [get, head] = [await fetch(url), await fetch(url, { method: 'HEAD' })];
    expect(head.status).toBe(200);
    expect(await head.text()).toBe('');
    for (const name of ['content-length', 'content-type', 'etag', 'last-modified', 'cache-control']) {
      expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)]);
    }
  });

  test('304 to a client that already has it', async () => {
    const etag = (await fetch(url)).headers.get('etag')!;
    const since = (await fetch(url)).headers.get('last-modified')!;
    for (const headers of [
      { 'if-none-match': etag },
      { 'if-none-match': `"other", ${etag}` },
      { 'if-none-match': `W/${etag}` },
      { 'if-none-match': '*' },
      { 'if-modified-since': since },
    ]) {
      const answer = await fetch(url, { headers });
      expect([headers, answer.status]).toEqual([headers, 304]);
      expect(answer.headers.get('etag')).toBe(etag);
    }
    expect((await fetch(url, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  });

  test.each([
    ['bytes=0-3', 206, 'The ', `bytes 0-3/${content.length}`],
    ['bytes=4-', 206, content.slice(4), `bytes 4-${content.length - 1}/${content.length}`],
    ['bytes=-4', 206, 'dog.', `bytes ${content.length - 4}-${content.length - 1}/${content.length}`],
    ['bytes=40-9999', 206, 'dog.', `bytes 40-43/${content.length}`],
    ['bytes=9999-', 416, undefined, `bytes */${content.length}`],
    ['bytes=0-1,4-5', 200, content, null],
    ['bytes=x-y', 200, content, null],
    ['lines=1-2', 200, content, null],
  ])('range %s', async (range, status, text, contentRange) => {
    const answer = await fetch(url, { headers: { range } });
    expect([answer.status, answer.headers.get('content-range')]).toEqual([status, contentRange]);
    if (text !== undefined) expect(await answer.text()).toBe(text);
    else expect(await answer.json()).toMatchObject({ error: { code: 'range_not_satisfiable' } });
  });

  test('a range only if the file is still the same', async () => {
    const etag = (await fetch(url)).headers.get('etag')!;
    const asked = (condition: string) =>
      fetch(url, { headers: { range: 'bytes=0-3', 'if-range': condition } });
    expect((await asked(etag)).status).toBe(206);
    expect((await asked('"other"')).status).toBe(200);
  });

  test('another key, extension or project is 404', async () => {
    const wrong = [
      url.replace(/[0-9a-f]{32}/, '0'.repeat(32)),
      url.replace(/\.txt$/, '.html'),
      url.replace(/\.txt$/, ''),
      url.replace(t.projects[0].ref, t.projects[1].ref),
      url.replace(t.projects[0].ref, 'aaaaaaaaaaaa'),
      `${url}/..%2f..%2fetc%2fpasswd`,
    ];
    for (const address of wrong) expect([address, (await fetch(address)).status]).toEqual([address, 404]);
  });

  test('as a download where that is asked for', async () => {
    const answer = await fetch(`${url}?download`);
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename=fox.txt');
  });
});

describe('types', () => {
  test.each([
    ['a.svg', svg, 'image/svg+xml', 'attachment', true],
    ['a.pdf', pdf, 'application/pdf', 'inline', false],
    ['a.csv', 'a,b', 'text/csv; charset=utf-8', 'attachment', true],
    ['a.zip', zip(), 'application/zip', 'attachment', true],
    ['a.txt', '<script>alert(1)</script>', 'text/plain; charset=utf-8', 'inline', true],
  ])('%s', async (name, content, type, disposition, isSandboxed) => {
    const { url } = await stored(name, content);
    const { headers } = await fetch(url);
    expect(headers.get('content-type')).toBe(type);
    expect(headers.get('content-disposition')).toBe(`${disposition}; filename=${name}`);
    const policy = headers.get('content-security-policy');
    if (isSandboxed) expect(policy).toMatch(/default-src 'none'.*sandbox/);
    else expect(policy).toBeNull();
  });

  test('a name in any script survives', async () => {
    const { url } = await stored('Überraschung 猫 "quoted".txt', 'x');
    expect((await fetch(url)).headers.get('content-disposition')).toBe(
      `inline; filename="?berraschung ? \\"quoted\\".txt"; filename*=UTF-8''%C3%9Cberraschung%20%E7%8C%AB%20%22quoted%22.txt`,
    );
  });
});

describe('a private file', () => {
  test('is reached by a signed URL only, and only for a time', async () => {
    const { id, url } = await stored('secret.txt', 'hush', { private: 'true' });
    expect(url).toBeNull();
    const record = (await t.api.get(`/storage/file/${id}`)).body.data;
    expect(record).toMatchObject({ private: true, url: null });
    const signed = (await t.api.post(`/storage/file/${id}/signed-url`, { expiresIn: 60 })).body.data;
    const answer = await fetch(signed.url);
    expect([answer.status, await answer.text()]).toEqual([200, 'hush']);
    const caching = /^private, max-age=(\d+), immutable$/.exec(answer.headers.get('cache-control') ?? '');
    expect(Number(caching?.[1])).toBeGreaterThan(0);
    expect(Number(caching?.[1])).toBeLessThanOrEqual(60);
    expect(Date.parse(signed.expiresAt)).toBeGreaterThan(Date.now());
    for (const broken of [
      signed.url.replace(/\?.*/, ''),
      signed.url.replace(/expires=\d+/, 'expires=9999999999'),
      signed.url.replace(/signature=./, 'signature=!'),
      signed.url.replace(/&signature.*/, ''),
    ]) {
      expect([broken, (await fetch(broken)).status]).toEqual([broken, 404]);
    }
    const short = (await t.api.post(`/storage/file/${id}/signed-url`, { expiresIn: 1 })).body.data;
    await expect.poll(async () => (await fetch(short.url)).status).toBe(403);
    expect(await (await fetch(short.url)).json()).toMatchObject({ error: { code: 'link_expired' } });
  });

  test('is signed for those who may see it', async () => {
    const { me: ada } = await newPerson(t);
    const { me: bob } = await newPerson(t);
    const { body } = await upload(ada, 'hers.txt', 'hers', { private: 'true' });
    const sign = `/storage/file/${body.data.id}/signed-url`;
    expect((await ada.post(sign, {})).status).toBe(201);
    expect((await bob.post(sign, {})).status).toBe(404);
    expect((await t.projects[1].api.post(sign, {})).status).toBe(404);
    expect((await ada.post(sign, { expiresIn: 700_000 })).status).toBe(400);
  });
});

describe('FILES_URL', () => {
  test('is where URLs of files start', async () => {
    const node = await t.node({
      FILES_URL: 'https://files.example.com',
      PUBLIC_URL: 'https://api.example.com',
    });
    const { Client } = await import('../support/client.ts');
    const api = new Client(node.url, { 'x-api-key': t.projects[0].apiKey });
    const { body } = await upload(api, 'a.png', await image('png'));
    expect(body.data.url).toMatch(/^https:\/\/files\.example\.com\/files\//);
    const path = new URL(body.data.url).pathname;
    expect((await bytesOf(await fetch(`${t.url}${path}`))).length).toBe(body.data.size);
  });
});
