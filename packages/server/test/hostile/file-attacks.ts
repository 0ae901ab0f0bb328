import { randomFillSync } from 'node:crypto';
import { request } from 'node:http';
import sharp from 'sharp';
import { type Attack, repeat, times, untilAborted } from './attack.ts';
import { anAddress, type Caller } from './caller.ts';

const megabyte = 1_048_576;

/** Pictures, uploads and downloads. */
export const files: readonly Attack[] = [
  {
    name: 'pictures in sizes that take long',
    finding: 11,
    callers: ['anonymous'],
    prepare: async ({ anonymous, server }) => {
      const url = await upload(server, await noise(1000));
      return (signal) =>
        repeat(signal, { atOnce: 6, most: 40 }, (n) =>
          anonymous.get(`${url}?w=3000&h=${3000 - n}&fit=fill&format=${n % 2 === 0 ? 'avif' : 'png'}`),
        );
    },
  },
  {
    name: 'a picture in very many sizes',
    finding: 12,
    callers: ['anonymous'],
    prepare: async ({ anonymous, server }) => {
      const url = await upload(server, await noise(300));
      return (signal) =>
        repeat(signal, { atOnce: 8, most: 2000 }, (n) =>
          anonymous.get(`${url}?w=${1 + (n % 4000)}&format=webp`),
        );
    },
  },
  {
    name: 'pictures that are small and would be huge',
    callers: ['API key', 'anonymous'],
    prepare: async ({ anonymous, server }) => {
      const [wide, deep] = [await plain(7000, 7000), await plain(16_000, 3000)];
      const urls = [await upload(server, wide), await upload(server, deep)];
      return (signal) =>
        repeat(signal, { atOnce: 6, most: 60 }, (n) =>
          anonymous.get(`${urls[n % 2]}?w=${100 + n}&format=${n % 2 === 0 ? 'webp' : 'gif'}`),
        );
    },
  },
  {
    name: 'PUTs to one signed address, held open',
    callers: ['API key'],
    prepare:
      async ({ server }) =>
      async (signal) => {
        const size = 10 * megabyte;
        const { data } = await server.post('/storage/direct-uploads', { name: 'a.zip', size });
        if (!data?.uploadUrl) return;
        await repeat(signal, { atOnce: 20, most: 20 }, () => putSlowly(data.uploadUrl, size, signal));
      },
  },
  {
    name: 'uploads of 10 MB',
    callers: ['API key', 'app user'],
    prepare: async ({ server, newUser }) => {
      const user = await newUser();
      const file = new Blob([Buffer.alloc(9 * megabyte, 65)], { type: 'text/plain' });
      return (signal) =>
        repeat(signal, { atOnce: 6, most: 60 }, (n) =>
          (n % 2 === 0 ? server : user).form('POST', '/storage/upload', { file }),
        );
    },
  },
  {
    name: 'downloads that nobody reads',
    callers: ['anonymous'],
    prepare: async ({ server }) => {
      const file = new Blob([Buffer.alloc(9 * megabyte, 65)], { type: 'text/plain' });
      const { data } = await server.form('POST', '/storage/upload', { file });
      return (signal) =>
        repeat(signal, { atOnce: 100, most: 100 }, async () => {
          const sent = request(data.url, { agent: false, headers: { 'x-forwarded-for': anAddress() } });
          sent.on('error', () => {});
          sent.on('response', (answer) => answer.pause());
          sent.end();
          await untilAborted(signal);
          sent.destroy();
        });
    },
  },
  {
    name: 'files that are not there, and pages open to all',
    callers: ['anonymous'],
    prepare: async ({ anonymous, url, ref }) => {
      const paths = [
        '/openapi.json',
        '/docs',
        '/metrics',
        '/healthz',
        '/readyz',
        `/files/${ref}/nothing.png`,
      ];
      // Both are made for the first visitor, and kept: that is part of starting.
      for (const path of paths.slice(0, 2)) await anonymous.get(`${url}${path}`);
      return (signal) =>
        repeat(signal, { atOnce: 40, most: 20_000 }, (n) =>
          anonymous.get(`${url}${paths[n % paths.length]}`),
        );
    },
  },
];

async function upload(server: Caller, picture: Buffer): Promise<string> {
  const file = new Blob([new Uint8Array(picture)], { type: 'image/png' });
  const { data, text } = await server.form('POST', '/storage/upload', { file });
  if (!data?.url) throw new Error(`The picture was not taken: ${text}`);
  return data.url;
}

const noise = (side: number) =>
  sharp(randomFillSync(Buffer.alloc(side * side * 3)), { raw: { width: side, height: side, channels: 3 } })
    .png()
    .toBuffer();

const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#336699' } })
    .png()
    .toBuffer();

async function putSlowly(url: string, size: number, signal: AbortSignal): Promise<void> {
  const headers = { 'content-length': size, 'x-forwarded-for': anAddress() };
  const sent = request(url, { method: 'PUT', agent: false, headers });
  sent.on('error', () => {});
  sent.on('response', (answer) => answer.resume());
  const piece = Buffer.alloc(megabyte, 1);
  for (const part of times(9, () => piece)) sent.write(part);
  await untilAborted(signal);
  sent.destroy();
}
