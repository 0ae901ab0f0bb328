import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import sharp, { type Metadata, type Sharp } from 'sharp';
import { AppError } from '../../platform/errors.ts';
import { imagesBusy, imageTooLarge, imageUnreadable } from './errors.ts';

// Of the formats the library can read, only those that can be stored; the rest never sees a byte.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp', 'VipsForeignLoadNsgif'],
});
// One thread an image and few images at once: the node has other calls to serve.
sharp.concurrency(1);
sharp.cache(false);

const maxPixels = 50_000_000;
const maxInputBytes = 50 * 1_048_576;
const maxSeconds = 20;
const atOnce = 2;
const maxWaiting = 64;

/** How an image is asked for. */
export interface ImageSize {
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly fit: Fit;
  readonly format: ImageFormat;
}

export const fits = ['cover', 'contain', 'fill', 'inside', 'outside'] as const;
export type Fit = (typeof fits)[number];
export const imageFormats = ['jpg', 'png', 'webp', 'avif', 'gif'] as const;
export type ImageFormat = (typeof imageFormats)[number];
export const maxSide = 4096;

/** Width and height as the image is shown, from the beginning of its file; undefined: they cannot be told. */
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

/** The image in another size or format. Refuses what would take too much memory before it is decoded. */
export async function resizeImage(
  source: { bytes: number; open: () => Promise<Readable> },
  size: ImageSize,
): Promise<Buffer> {
  if (source.bytes > maxInputBytes) throw imageTooLarge('50 MB');
  return queue.run(async () => {
    // Read only when its turn has come: images that wait take no memory.
    const input = await buffer(await source.open());
    try {
      return await convert(input, size);
    } catch (error) {
      throw wordImageError(error);
    }
  });
}

async function convert(input: Buffer, size: ImageSize): Promise<Buffer> {
  const options = { animated: isAnimated(size), limitInputPixels: maxPixels, failOn: 'error' } as const;
  const image = sharp(input, options);
  requireBounded(await image.metadata(), size);
  image.timeout({ seconds: maxSeconds }).autoOrient();
  const { width, height, fit } = size;
  if (width !== undefined || height !== undefined) {
    image.resize({
      ...(width !== undefined && { width }),
      ...(height !== undefined && { height }),
      fit,
      // What `contain` puts around the image.
      background: { r: 255, g: 255, b: 255, alpha: 0 },
      withoutEnlargement: !fillsBox(size),
    });
  }
  return encode(image, size.format);
}

const isAnimated = ({ format }: ImageSize) => format === 'webp' || format === 'gif';

/** Larger than it is, an image only gets worse; where it must fill a box it still does. */
function fillsBox({ width, height, fit }: ImageSize): boolean {
  return width !== undefined && height !== undefined && fit !== 'inside' && fit !== 'outside';
}

/** Refuses what would take too much memory on the way: all frames count, and what `cover` cuts off again. */
function requireBounded(source: Metadata, size: ImageSize): void {
  const frames = isAnimated(size) ? (source.pages ?? 1) : 1;
  const [width, height] = [source.width, source.pageHeight ?? source.height];
  let scale = 1;
  if (fillsBox(size)) {
    // A picture that lies on its side is turned first: take the worse of both.
    const sides = [size.width! / width, size.height! / height, size.width! / height, size.height! / width];
    scale = Math.max(1, size.fit === 'cover' ? Math.max(...sides) : 1);
  }
  const box = fillsBox(size) ? size.width! * size.height! : 0;
  if (frames * Math.max(width * height * scale * scale, box) > maxPixels) {
    throw imageTooLarge('50 megapixels, as it is or as it would become');
  }
}

function encode(image: Sharp, format: ImageFormat): Promise<Buffer> {
  switch (format) {
    case 'jpg':
      return image.flatten({ background: '#ffffff' }).jpeg({ quality: 80 }).toBuffer();
    case 'png':
      return image.png().toBuffer();
    case 'gif':
      return image.gif().toBuffer();
    case 'webp':
      return image.webp({ quality: 80, effort: 3 }).toBuffer();
    case 'avif':
      return image.avif({ quality: 50, effort: 2 }).toBuffer();
  }
}

function wordImageError(error: unknown): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error;
  return /pixel limit|timeout/i.test(error.message) ? imageTooLarge('50 megapixels') : imageUnreadable();
}

/** Few conversions at once, a bounded number that wait. */
class Queue {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#running >= atOnce) {
      if (this.#waiting.length >= maxWaiting) throw imagesBusy();
      await new Promise<void>((turn) => this.#waiting.push(turn));
    } else this.#running += 1;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}

const queue = new Queue();
