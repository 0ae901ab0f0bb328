import type { Metadata, Sharp } from 'sharp';
import { AppError } from '../../../platform/errors.ts';
import { imageTooLarge, imageUnreadable } from './errors.ts';
import type { ImageFormat, ImageSize } from './image-size.ts';
import { sharp } from './sharp.ts';

/** Pixels of an image to be resized. @limit image_too_large */
const maxPixels = 50_000_000;
/** How long resizing may take. @limit image_too_large s */
const maxSeconds = 20;

/** The image in another size or format. Refuses one that would take too much memory before it is decoded. */
export async function convertImage(input: Buffer, size: ImageSize): Promise<Buffer> {
  try {
    return await convert(input, size);
  } catch (error) {
    throw wordImageError(error);
  }
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
      // Enlarging only makes an image worse, but one that must fill a box is enlarged to do so.
      withoutEnlargement: boxOf(size) === undefined,
    });
  }
  return encode(image, size.format);
}

const isAnimated = ({ format }: ImageSize) => format === 'webp' || format === 'gif';

/** The box that the image has to fill, if it has to. */
function boxOf({ width, height, fit }: ImageSize): { width: number; height: number } | undefined {
  if (width === undefined || height === undefined || fit === 'inside' || fit === 'outside') return undefined;
  return { width, height };
}

/** Refuses what would take too much memory on the way: all frames count, and so does what `cover` cuts off again. */
function requireBounded(source: Metadata, size: ImageSize): void {
  const frames = isAnimated(size) ? (source.pages ?? 1) : 1;
  const [width, height] = [source.width, source.pageHeight ?? source.height];
  const box = boxOf(size);
  let scale = 1;
  if (box && size.fit === 'cover') {
    // An image that lies on its side is turned first: take the worse of both.
    scale = Math.max(1, box.width / width, box.height / height, box.width / height, box.height / width);
  }
  const boxPixels = box ? box.width * box.height : 0;
  if (frames * Math.max(width * height * scale * scale, boxPixels) > maxPixels) {
    throw imageTooLarge('50 megapixels, before or after resizing');
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
