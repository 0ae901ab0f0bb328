// @postgres newest
import { readdir } from 'node:fs/promises';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { image, svg } from '../support/files/contents.ts';
import { upload } from '../support/files/forms.ts';
import { useTestApp } from '../support/test-app.ts';
import { pngOfSize } from './hostile-contents.ts';

const t = useTestApp({ IMAGE_ADDRESS_LIMIT: '60' });

async function urlOf(name: string, content: Buffer | string): Promise<string> {
  const { body, text } = await upload(t.api, name, content);
  expect(body.success, text).toBe(true);
  return body.data.url;
}

async function pixels(url: string) {
  const answer = await fetch(url);
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (answer.status !== 200) return { status: answer.status, ...JSON.parse(bytes.toString()).error };
  const { width, height, format } = await sharp(bytes).metadata();
  return {
    width,
    height,
    format,
    type: answer.headers.get('content-type'),
    etag: answer.headers.get('etag'),
  };
}

describe('images', () => {
  test('in any size, fit and format', async () => {
    const url = await urlOf('a.png', await image('png', 400, 300));
    expect(await pixels(`${url}?w=200`)).toMatchObject({ width: 200, height: 150, format: 'png' });
    expect(await pixels(`${url}?h=30`)).toMatchObject({ width: 40, height: 30 });
    expect(await pixels(`${url}?w=100&h=100`)).toMatchObject({ width: 100, height: 100 });
    expect(await pixels(`${url}?w=100&h=100&fit=inside`)).toMatchObject({ width: 100, height: 75 });
    expect(await pixels(`${url}?w=100&h=100&fit=contain`)).toMatchObject({ width: 100, height: 100 });
    expect(await pixels(`${url}?format=webp`)).toMatchObject({
      width: 400,
      format: 'webp',
      type: 'image/webp',
    });
    expect(await pixels(`${url}?w=50&format=jpeg`)).toMatchObject({ width: 50, type: 'image/jpeg' });
    const avif = await fetch(`${url}?w=50&format=avif`);
    expect(avif.headers.get('content-type')).toBe('image/avif');
    expect(Buffer.from(await avif.arrayBuffer()).toString('latin1', 4, 12)).toBe('ftypavif');
    // Larger than it is, it stays as it is.
    expect(await pixels(`${url}?w=4000`)).toMatchObject({ width: 400, height: 300 });
  });

  test('a photograph stands upright', async () => {
    const turned = await sharp(await image('jpeg', 60, 40))
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const { body } = await upload(t.api, 'a.jpg', turned);
    expect(body.data).toMatchObject({ width: 40, height: 60 });
    expect(await pixels(`${body.data.url}?w=20`)).toMatchObject({ width: 20, height: 30 });
  });

  test('are kept, and have headers of their own', async () => {
    const { body } = await upload(t.api, 'a.png', await image('png', 400, 300));
    const url = `${body.data.url}?w=77`;
    const [first, second] = [await pixels(url), await pixels(url)];
    expect(second).toEqual(first);
    expect(first.etag).not.toBe((await fetch(body.data.url)).headers.get('etag'));
    const kept = await readdir(t.config.FILES_FOLDER!, { recursive: true });
    expect(kept.filter((name) => name.includes(`${body.data.id}/w77`))).toHaveLength(1);
    expect((await fetch(url, { headers: { 'if-none-match': first.etag } })).status).toBe(304);
    const part = await fetch(url, { headers: { range: 'bytes=0-7' } });
    expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 8]);
    const head = await fetch(url, { method: 'HEAD' });
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(50);
  });

  test('one conversion serves all who ask at once', async () => {
    const url = `${await urlOf('a.png', await image('png', 800, 600))}?w=333`;
    const answers = await Promise.all(Array.from({ length: 20 }, () => fetch(url)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
  });

  test.each([
    'w=0',
    'w=-1',
    'w=4097',
    'w=1e3',
    'w=abc',
    'h=',
    'fit=stretch',
    'fit=inside',
    'w=10&fit=cover',
    'format=bmp',
    'format=svg',
  ])('%s is refused', async (query) => {
    const url = await urlOf('a.png', await image('png'));
    expect(await pixels(`${url}?${query}`)).toMatchObject({ status: 400, code: 'invalid_query' });
  });

  test('what is no image, or none that can be decoded, is said to be so', async () => {
    expect(await pixels(`${await urlOf('a.svg', svg)}?w=10`)).toMatchObject({
      status: 400,
      code: 'not_an_image',
    });
    expect(await pixels(`${await urlOf('a.txt', 'x')}?w=10`)).toMatchObject({
      status: 400,
      code: 'not_an_image',
    });
    const whole = await image('png', 400, 300);
    const cut = await urlOf('cut.png', whole.subarray(0, whole.length / 2));
    expect(await pixels(`${cut}?w=10`)).toMatchObject({ status: 400, code: 'image_unreadable' });
    expect((await fetch(cut)).status).toBe(200);
  });

  test('a decompression bomb is delivered as it is, and never unpacked', async () => {
    const bomb = pngOfSize(30_000, 30_000);
    expect(bomb.length).toBeLessThan(1_000_000);
    const { body } = await upload(t.api, 'bomb.png', bomb);
    expect(body.data).toMatchObject({ width: 30_000, height: 30_000 });
    const before = process.memoryUsage().rss;
    expect(await pixels(`${body.data.url}?w=10`)).toMatchObject({ status: 400, code: 'image_too_large' });
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1_048_576);
    expect((await fetch(body.data.url)).status).toBe(200);
  });

  test('go with their file', async () => {
    const { body } = await upload(t.api, 'a.png', await image('png', 400, 300));
    expect(await pixels(`${body.data.url}?w=10`)).toMatchObject({ width: 10 });
    await t.api.delete(`/storage/file/${body.data.id}`);
    expect((await fetch(`${body.data.url}?w=10`)).status).toBe(404);
    await expect
      .poll(async () =>
        (await readdir(t.config.FILES_FOLDER!, { recursive: true })).filter((name) =>
          name.includes(body.data.id),
        ),
      )
      .toEqual([]);
  });

  test('an address that asks for too many new ones is told to wait', async () => {
    const url = await urlOf('a.png', await image('png', 400, 300));
    const codes = new Set<number>();
    for (let width = 1; width <= 80; width += 1) codes.add((await fetch(`${url}?w=${width}`)).status);
    expect(codes).toEqual(new Set([200, 429]));
    expect((await fetch(`${url}?w=1`)).status).toBe(200);
  });
});
