import { expect } from 'vitest';
import type { Block } from '../support/markdown.ts';
import { sampleFiles } from './sample-files.ts';

/** What the app knows: the address of the project, and the token of whoever is signed in. */
interface Session {
  readonly base: string;
  readonly token: string;
}

/**
 * Runs a `js` block word for word, with stand-ins for what the page has: `base` and `token`, a file input `input`, and
 * `image` and `video`, one of which must show the file in the end.
 */
export async function runInPage(block: Block, { base, token }: Session): Promise<void> {
  const usesTus = block.text.includes("from 'tus-js-client'");
  const page = {
    base,
    token,
    // Outside of browsers, the tus client takes the bytes themselves.
    input: { files: [usesTus ? await picked('film.mp4') : await pickedFile('photo.jpg')] },
    image: {} as { src?: string },
    video: {} as { src?: string },
  };
  const code = block.text.replaceAll(/^import \* as (\w+) from ('.+');$/gm, 'const $1 = await load($2);');
  const AsyncFunction = (async () => {}).constructor as new (
    ...parts: string[]
  ) => (...values: unknown[]) => Promise<void>;
  const run = new AsyncFunction('load', ...Object.keys(page), code);
  await run((name: string) => import(name), ...Object.values(page));
  await expect.poll(() => page.image.src ?? page.video.src).toBeTypeOf('string');
  const shown = await fetch((page.image.src ?? page.video.src)!);
  expect(shown.status, `${shown.url} ${await shown.text()}`).toBe(200);
}

async function picked(name: string): Promise<Buffer & { name: string }> {
  return Object.assign((await sampleFiles())[name]!, { name });
}

async function pickedFile(name: string): Promise<File> {
  return new File([new Uint8Array(await picked(name))], name, { type: 'image/jpeg' });
}
