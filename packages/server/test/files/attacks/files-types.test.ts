// @postgres newest
import { describe, expect, test } from 'vitest';
import type { Reply } from '../../support/client.ts';
import { upload } from '../../support/files/forms.ts';
import { useTestApp } from '../../support/test-app.ts';
import { hostileFiles, refusedExtensions } from './files-corpus.ts';
import { expectTidy, orphans, usageOf } from './files-probes.ts';
import { Resumable } from './files-resumable.ts';

const t = useTestApp();

type Outcome = { status: number; body: { data: { url: string }; error: { code: string } } };

/** Asks for a file, and says what a browser is told about it. */
async function deliveredAs(url: string, content: Buffer): Promise<string> {
  const answer = await fetch(url);
  expect(Buffer.from(await answer.arrayBuffer()).equals(content)).toBe(true);
  const header = (name: string) => answer.headers.get(name) ?? '';
  expect([answer.status, header('x-content-type-options'), header('set-cookie')]).toEqual([
    200,
    'nosniff',
    '',
  ]);
  const policy = header('content-security-policy');
  if (policy !== '') expect(policy).toMatch(/default-src 'none'(;.*)?; sandbox$/);
  const shown = header('content-disposition').split(';', 1)[0];
  return `${shown}${policy === '' ? '' : ' sandbox'} ${header('content-type')}`;
}

async function verdictOn(answer: Outcome, content: Buffer): Promise<string> {
  if (answer.status === 400 && answer.body.error.code === 'unsupported_file_type') return 'refused';
  if (answer.status !== 201) return `${answer.status} ${answer.body.error?.code}`;
  return deliveredAs(answer.body.data.url, content);
}

async function sentDirectly(name: string, content: Buffer): Promise<Outcome> {
  const started = await t.api.post('/storage/direct-uploads', { name, size: content.length });
  if (started.status !== 201) return started;
  const put = await fetch(started.body.data.uploadUrl, { method: 'PUT', body: new Uint8Array(content) });
  if (!put.ok) return { status: put.status, body: (await put.json()) as Outcome['body'] };
  return t.api.post(`/storage/direct-uploads/${started.body.data.id}/confirm`);
}

async function sentResumably(name: string, content: Buffer): Promise<Outcome> {
  const tus = new Resumable(t.url, { 'X-API-Key': t.projects[0].apiKey });
  const fields = `filename ${Buffer.from(name).toString('base64')}`;
  const started = await tus.create(String(content.length), fields);
  const id = started.headers.get('location')?.split('/').at(-1);
  const sent =
    id && content.length > 0 ? await tus.send(started.headers.get('location')!, 0, content) : started;
  if (!sent.ok) return { status: sent.status, body: (await sent.json()) as Outcome['body'] };
  return { ...(await t.api.get(`/storage/file/${id}`)), status: 201 };
}

describe('U1: every hostile file has one answer', () => {
  test.each<[string, (name: string, content: Buffer) => Promise<Outcome>]>([
    ['as a form', (name, content) => upload(t.api, name, content)],
    ['straight to the store', sentDirectly],
    ['in pieces', sentResumably],
  ])('sent %s', async (way, send) => {
    const expected: string[] = [];
    const found: string[] = [];
    for (const [what, name, given, verdict] of await hostileFiles()) {
      const content = Buffer.from(given as string);
      expected.push(`${what}, as ${name}: ${verdict}`);
      found.push(`${what}, as ${name}: ${await verdictOn(await send(name, content), content)}`);
    }
    expect(found).toEqual(expected);
    // What went straight to the store is kept there until its address expires.
    if (way === 'straight to the store') expect(await orphans(t)).toEqual([]);
    else await expectTidy(t);
  });

  test('an extension that is not on the list is refused, whatever is in the file', async () => {
    const before = await usageOf(t.api);
    for (const extension of refusedExtensions.split(' ')) {
      for (const name of [`a.${extension}`, `a.png.${extension}`, `a.${extension.toUpperCase()}`]) {
        const { status, body } = await upload(t.api, name, 'plain text');
        expect([name, status]).toEqual([name, 400]);
        expect(body.error.code).toMatch(/^(unsupported_file_type|invalid_file_name)$/);
      }
    }
    expect(await usageOf(t.api)).toEqual(before);
  });
});

/** A form whose file part says of what type it is. */
function sendAs(type: string, name: string, content: string): Promise<Reply> {
  const part = `Content-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${type}`;
  return t.api.call('POST', '/storage/upload', undefined, {
    raw: `--b\r\n${part}\r\n\r\n${content}\r\n--b--\r\n`,
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
  });
}

describe('U1: what the sender says about the type counts for nothing', () => {
  test.each(['text/html', 'image/svg+xml', 'application/javascript', 'text/html; charset=utf-7', 'x', ''])(
    'text sent as %s is text',
    async (type) => {
      const { body, status, text } = await sendAs(type, 'a.txt', '<script>alert(1)</script>');
      expect(status, text).toBe(201);
      expect(body.data.contentType).toBe('text/plain');
      const { headers } = await fetch(body.data.url);
      expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    },
  );

  test('a page sent as an image is no image', async () => {
    const { status, body } = await sendAs('image/png', 'a.png', '<html>');
    expect({ status, body }).toFailWith(400, 'unsupported_file_type');
  });

  test('nothing in the URL changes the type', async () => {
    const { body } = await upload(t.api, 'a.txt', '<script>alert(1)</script>');
    const { url } = body.data as { url: string };
    for (const end of [
      'html',
      'svg',
      'TXT',
      'txt.html',
      'txt%00.html',
      'txt/',
      'txt/a.html',
      'txt;.html',
      'tx',
    ]) {
      const { status, headers } = await fetch(url.replace(/txt$/, end));
      expect([end, status === 404 || headers.get('content-type') === 'text/plain; charset=utf-8']).toEqual([
        end,
        true,
      ]);
    }
    for (const query of ['type=text/html', 'content-type=text/html', 'response-content-type=text/html']) {
      const { headers } = await fetch(`${url}?${query}`, { headers: { accept: 'text/html' } });
      expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
      expect(headers.get('content-security-policy')).toMatch(/sandbox/);
    }
  });
});
