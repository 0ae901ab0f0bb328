// @postgres newest
import { expect, test } from 'vitest';
import { newCollection, newDocument } from '../../support/data/new-collection.ts';
import { image } from '../../support/files/contents.ts';
import { upload } from '../../support/files/forms.ts';
import { useTestApp } from '../../support/test-app.ts';
import { pngOfSize } from '../hostile-contents.ts';

const t = useTestApp();

/** A GIF that shows the same again and again: small as a file, however many frames it has. */
async function gifOf(frames: number, side: number): Promise<Buffer> {
  const whole = await image('gif', side, side);
  const colours = whole[10]! & 0x80 ? 3 * 2 ** ((whole[10]! & 7) + 1) : 0;
  const [start, frame] = [whole.subarray(0, 13 + colours), whole.subarray(13 + colours, -1)];
  return Buffer.concat([start, ...Array.from({ length: frames }, () => frame), whole.subarray(-1)]);
}

/** A file whose header says that it is enormous, with next to nothing behind it. */
const says = (hex: string) => Buffer.concat([Buffer.from(hex.replaceAll(' ', ''), 'hex'), Buffer.alloc(64)]);

async function half(format: 'png' | 'jpeg' | 'gif' | 'webp'): Promise<Buffer> {
  const whole = await image(format, 400, 300);
  return whole.subarray(0, whole.length / 2);
}

const damaged = /^image_(too_large|unreadable)$/;

test.each<[string, string, () => Promise<Buffer> | Buffer, string, RegExp]>([
  ['a PNG of 900 megapixels', 'a.png', () => pngOfSize(30_000, 30_000), 'w=10', /^image_too_large$/],
  ['a GIF of 60 megapixels in frames', 'a.gif', () => gifOf(60, 1000), 'w=10', /^image_too_large$/],
  ['its first frame', 'a.gif', () => gifOf(60, 1000), 'w=10&format=png', /^image$/],
  ['a GIF of 100,000 frames', 'a.gif', () => gifOf(100_000, 1), 'w=10', /^image(_too_large)?$/],
  ['a GIF that says 65535 × 65535', 'a.gif', () => says('474946383961 ffff ffff f0 00 00'), 'w=10', damaged],
  [
    'a WebP that says 16384 × 16384',
    'a.webp',
    () => says('52494646 48000000 57454250 56503858 0a000000 00000000 ff3f00 ff3f00'),
    'w=10',
    damaged,
  ],
  [
    'a JPEG that says 65500 × 65500',
    'a.jpg',
    () => says('ffd8 ffc0 0011 08 ffdc ffdc 03 011100 021100 031100 ffda'),
    'w=10',
    damaged,
  ],
  [
    'a PNG of no width',
    'a.png',
    () => says('89504e470d0a1a0a 0000000d 49484452 00000000 00000001'),
    'w=1',
    damaged,
  ],
  ['half a PNG', 'a.png', () => half('png'), 'w=10', damaged],
  ['half a JPEG', 'a.jpg', () => half('jpeg'), 'w=10', damaged],
  ['half a GIF', 'a.gif', () => half('gif'), 'w=10', damaged],
  ['half a WebP', 'a.webp', () => half('webp'), 'w=10', damaged],
  ['a GIF that is a script', 'a.gif', () => Buffer.from('GIF89a/*xxxxxxxx*/=1;alert(1)'), 'w=10', damaged],
  ['a tall image made wide', 'a.png', () => pngOfSize(1, 1000), 'w=4096&h=4096&fit=outside', /^image/],
  ['a wide image made tall', 'a.png', () => pngOfSize(100, 1), 'w=4096&h=4096&fit=outside', /^image/],
  ['many tiny frames made large', 'a.gif', () => gifOf(200, 1), 'w=4096&h=4096&format=webp', /^image/],
])('U4: %s costs little to resize', async (_what, name, content, query, expected) => {
  const { body, text } = await upload(t.api, name, await content());
  expect(body.success, text).toBe(true);
  const spentBefore = process.cpuUsage();
  const memory = process.memoryUsage().rss;
  const answer = await fetch(`${body.data.url}?${query}`);
  expect(process.memoryUsage().rss - memory).toBeLessThan(300 * 1_048_576);
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect([200, 400]).toContain(answer.status);
  expect(answer.status === 200 ? 'image' : JSON.parse(bytes.toString()).error.code).toMatch(expected);
  // Of a core, not of the clock: how busy the machine is says nothing of the image.
  const { user, system } = process.cpuUsage(spentBefore);
  expect(user + system).toBeLessThan(15_000_000);
  // The file itself is delivered as it came.
  expect((await fetch(body.data.url)).status).toBe(200);
});

test('U4: an image of any bytes behind its signature is answered, and harms nobody', async () => {
  const whole = await image('png', 40, 30);
  for (let at = 8; at < whole.length; at += 5) {
    const broken = Buffer.from(whole);
    broken[at]! ^= 0xff;
    const { body } = await upload(t.api, 'a.png', broken);
    const { status } = await fetch(`${body.data.url}?w=7`);
    expect([at, [200, 400].includes(status)]).toEqual([at, true]);
  }
});

test('U4: point reads do not wait for 20 conversions', async () => {
  const { path } = await newCollection(t.api);
  const { id } = await newDocument(t.api, path, { a: 1 });
  const { body } = await upload(t.api, 'a.png', pngOfSize(6000, 4000));
  const all = Promise.all(Array.from({ length: 20 }, (_, at) => fetch(`${body.data.url}?w=${500 + at}`)));
  const over = all.then(() => true);
  const times: number[] = [];
  const beganAt = performance.now();
  // A read is over long before a conversion is, unless it waits for one.
  while (!(await Promise.race([over, Promise.resolve(false)]))) {
    const startedAt = performance.now();
    expect((await t.api.get(`${path}/${id}`)).status).toBe(200);
    times.push(performance.now() - startedAt);
  }
  expect((await all).map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
  expect(times.length).toBeGreaterThan(20);
  const allMs = performance.now() - beganAt;
  expect(times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.9)]).toBeLessThan(allMs / 10);
  expect(Math.max(...times)).toBeLessThan(allMs / 2);
});
