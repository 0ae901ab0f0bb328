import { imageUrl } from '../../src/index.ts';
import { type Check, codeOf, equal, memory, signedUp, truthy } from './check.ts';

const mb = 1_048_576;

/** Bytes of a video, as far as its head tells, that are different everywhere. */
export function film(size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size; at += 1) bytes[at] = (at * 31 + (at >> 8)) & 255;
  bytes.set([0, 0, 0, 24, 0x66, 0x74, 0x79, 0x70, 0x6d, 0x70, 0x34, 0x32, 0, 0, 0, 0]);
  return bytes;
}

async function sameBytes(url: string | null, wanted: Uint8Array): Promise<void> {
  const got = new Uint8Array(await (await fetch(url ?? '')).arrayBuffer());
  truthy(got.length === wanted.length && got.every((byte, at) => byte === wanted[at]), 'the bytes are right');
}

export const files: Record<string, Check> = {
  'a file is uploaded, listed, signed for and deleted': async (stage) => {
    const { plinth, user } = await signedUp(stage);
    const progress: number[] = [];
    const file = new File(['hello'], 'note.txt');
    const record = await plinth.files.upload(file, {
      path: 'notes/',
      onProgress: ({ sent }) => progress.push(sent),
    });
    equal([record.name, record.path, record.size, record.uploadedBy], ['note.txt', 'notes/', 5, user.id]);
    equal(progress.at(-1), 5);
    equal(
      (await plinth.files.list({ path: 'notes/' })).items.map(({ id }) => id),
      [record.id],
    );
    equal(await plinth.files.get(record.id), record);
    const secret = await plinth.files.upload(new Blob(['secret']), { name: 'a.txt', isPrivate: true });
    equal(secret.url, null);
    equal(await (await fetch(await plinth.files.signedUrl(secret.id, { expiresIn: 60 }))).text(), 'secret');
    await plinth.files.delete(record.id);
    equal(await codeOf(plinth.files.get(record.id)), 'file_not_found');
    equal(await codeOf(plinth.files.upload(new Blob(['x']), { name: 'a.exe' })), 'unsupported_file_type');
    truthy((await codeOf(plinth.files.upload(new Blob(['x'])))).includes('needs a name'), 'it says so');
    equal(
      imageUrl('https://x.example/a.jpg', { w: 300, h: 200, fit: 'inside' }),
      'https://x.example/a.jpg?w=300&h=200&fit=inside',
    );
  },

  'a large file goes in pieces, is held back, and goes on': async (stage) => {
    const { plinth } = await signedUp(stage);
    const bytes = film(18 * mb);
    const progress: number[] = [];
    const upload = plinth.files.upload(new Blob([bytes]), {
      name: 'film.mp4',
      onProgress: ({ sent }) => {
        progress.push(sent);
        if (sent >= 8 * mb && !isHeld) {
          isHeld = true;
          upload.pause();
          setTimeout(() => upload.resume(), 100);
        }
      },
    });
    let isHeld = false;
    const { url, size } = await upload;
    equal(size, bytes.length);
    truthy(isHeld, 'it was paused');
    await sameBytes(url, bytes);
    equal(
      progress,
      // oxlint-disable-next-line unicorn/no-array-sort -- runs where there is no toSorted
      [...progress].sort((a, b) => a - b),
      'progress',
    );
    equal(progress.at(-1), bytes.length);
  },

  'an upload that was left goes on where it was': async (stage) => {
    const storage = memory();
    const { plinth } = await signedUp(stage, { storage });
    const bytes = film(18 * mb);
    const file = new File([bytes], 'film.mp4', { lastModified: 1 });
    const controller = new AbortController();
    const left = plinth.files.upload(file, {
      signal: controller.signal,
      // Past the first piece: what has only left the page may not have come.
      onProgress: ({ sent }) => sent > 8 * mb && controller.abort(),
    });
    equal(await left.catch((error: Error) => error.name), 'AbortError');
    const seen: number[] = [];
    const record = await plinth.files.upload(file, { onProgress: ({ sent }) => seen.push(sent) });
    truthy((seen[0] ?? 0) >= 8 * mb, 'what was sent before is not sent again');
    await sameBytes(record.url, bytes);
  },
};
