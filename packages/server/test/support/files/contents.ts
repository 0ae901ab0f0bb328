import { deflateRawSync, gzipSync } from 'node:zlib';
import sharp from 'sharp';

const colour = { r: 200, g: 30, b: 30, alpha: 1 };

/** A real image of one colour. */
export function image(format: 'png' | 'jpeg' | 'webp' | 'gif', width = 40, height = 30): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 4, background: colour } })
    .toFormat(format)
    .toBuffer();
}

export const svg = '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"><circle r="5"/></svg>';
export const pdf = '%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n';
export const gzip = gzipSync('a tar would be here');

/** A zip with one entry. */
export function zip(name = 'a.txt', text = 'hello'): Buffer {
  const content = deflateRawSync(text);
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x04034b50, 0);
  head.writeUInt16LE(20, 4);
  head.writeUInt16LE(8, 8);
  head.writeUInt32LE(content.length, 18);
  head.writeUInt32LE(text.length, 22);
  head.writeUInt16LE(name.length, 26);
  return Buffer.concat([head, Buffer.from(name), content]);
}

const box = (type: string, body: Buffer) => {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(body.length + 8);
  return Buffer.concat([size, Buffer.from(type, 'latin1'), body]);
};

export const mp4 = box('ftyp', Buffer.from('isom\0\0\x02\0isomiso2mp41', 'latin1'));
export const mov = box('ftyp', Buffer.from('qt  \0\0\x02\0qt  ', 'latin1'));
export const webm = Buffer.from(
  '1a45dfa39f4286810142f7810142f2810442f381084282847765626d42878104428581',
  'hex',
);
