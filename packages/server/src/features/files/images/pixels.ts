import { sharp } from './sharp.ts';

/** Width and height as the image is shown, from the beginning of its file; undefined: they cannot be read. */
export async function pixelsOf(head: Buffer): Promise<{ width: number; height: number } | undefined> {
  try {
    const { width, height, autoOrient } = await sharp(head, {
      failOn: 'none',
      limitInputPixels: false,
    }).metadata();
    return { width: autoOrient.width ?? width, height: autoOrient.height ?? height };
  } catch {
    return undefined;
  }
}
