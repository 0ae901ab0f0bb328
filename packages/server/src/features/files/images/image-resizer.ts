import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { FairSemaphore } from '../../../platform/concurrency/fair-semaphore.ts';
import { convertImage } from './convert-image.ts';
import { imagesBusy, imageTooLarge } from './errors.ts';
import type { ImageSize } from './image-size.ts';

/** An image to be resized. @limit image_too_large bytes */
const maxInputBytes = 50 * 1_048_576;
const atOnce = 2;
/** Of one project. */
const share = 1;
const mostWaiting = 32;
/** Longer, nobody waits for a picture. */
const longestWaitMs = 60_000;

type ImageResult = 'made' | 'failed' | 'busy';

/**
 * Resizes few images at once. Projects take turns, and none has all places: one whose images take long waits for itself.
 */
export class ImageResizer {
  readonly #turns = new FairSemaphore(atOnce, share, mostWaiting);
  readonly #onDone: (result: ImageResult, ms: number) => void;

  constructor(onDone: (result: ImageResult, ms: number) => void = () => {}) {
    this.#onDone = onDone;
  }

  /** The image in another size or format. */
  async resize(
    projectId: string,
    source: { bytes: number; open: () => Promise<Readable> },
    size: ImageSize,
  ): Promise<Buffer> {
    if (source.bytes > maxInputBytes) throw imageTooLarge('50 MB');
    const startedAt = performance.now();
    let result: ImageResult = 'failed';
    try {
      const resized = await this.#turns.run(projectId, longestWaitMs, async () => {
        // Read only when its turn has come: images that wait take no memory.
        const input = await buffer(await source.open());
        return convertImage(input, size);
      });
      result = resized ? 'made' : 'busy';
      if (!resized) throw imagesBusy();
      return resized;
    } finally {
      this.#onDone(result, performance.now() - startedAt);
    }
  }
}
