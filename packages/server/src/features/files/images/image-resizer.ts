import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { FairSemaphore } from '../../../platform/concurrency/fair-semaphore.ts';
import { convertImage, maxSeconds } from './convert-image.ts';
import { imagesBusy, imageTooLarge } from './errors.ts';
import type { ImageSize } from './image-size.ts';

const maxInputBytes = 50 * 1_048_576;
const atOnce = 2;
const maxWaiting = 64;
/** The longest that all in front can take. */
const longestWaitMs = (maxWaiting / atOnce) * maxSeconds * 1000;

/** Resizes few images at once, in fair turns between projects, and refuses more than a bounded number that wait. */
export class ImageResizer {
  readonly #turns = new FairSemaphore(atOnce, atOnce);
  #pending = 0;

  /** The image in another size or format. */
  async resize(
    projectId: string,
    source: { bytes: number; open: () => Promise<Readable> },
    size: ImageSize,
  ): Promise<Buffer> {
    if (source.bytes > maxInputBytes) throw imageTooLarge('50 MB');
    if (this.#pending === atOnce + maxWaiting) throw imagesBusy();
    this.#pending += 1;
    try {
      const resized = await this.#turns.run(projectId, longestWaitMs, async () => {
        // Read only when its turn has come: images that wait take no memory.
        const input = await buffer(await source.open());
        return convertImage(input, size);
      });
      if (!resized) throw imagesBusy();
      return resized;
    } finally {
      this.#pending -= 1;
    }
  }
}
