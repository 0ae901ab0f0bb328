import { Readable } from 'node:stream';
import type { Project } from '../../../calls/index.ts';
import type { BlobStore } from '../../../platform/blobs/blob-store.ts';
import type { WindowCounter } from '../../../platform/counters/window-counter.ts';
import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { networkOf } from '../../../platform/http/network-of.ts';
import type { Log } from '../../../platform/log.ts';
import { type ImageResizer, type ImageSize, imagesBusy, variantName } from '../images/index.ts';
import { type File, fileNotFound, findFile, originalOf, recordVariant, treeOf } from '../records/index.ts';
import type { Content } from './send-content.ts';

interface Options {
  readonly blobs: BlobStore;
  readonly resizer: ImageResizer;
  readonly counter: WindowCounter;
  /** How many sizes and formats one address may have made in a minute. */
  readonly perMinute: number;
}

interface Wanted {
  readonly db: ProjectDb;
  readonly log: Log;
  readonly project: Project;
  readonly address: string;
  readonly file: File;
  readonly size: ImageSize;
}

/** Images in other sizes and formats, kept in the blob store beside their originals. */
export class ImageVariants {
  readonly #options: Options;
  /** Conversions under way on this node: whoever asks for one of them waits for the same result. */
  readonly #underWay = new Map<string, Promise<Buffer>>();

  constructor(options: Options) {
    this.#options = options;
  }

  /** The image as it is asked for: kept from an earlier call, or made now and kept. */
  async get(wanted: Wanted): Promise<Content> {
    const { blobs } = this.#options;
    const name = variantName(wanted.size);
    const key = `${treeOf(wanted.project.id, wanted.file.id)}/${name}`;
    const keptSize = await blobs.sizeOf(key);
    if (keptSize !== undefined) {
      return { tag: name, size: keptSize, open: (range) => blobs.read(key, range) };
    }
    const bytes = await (this.#underWay.get(key) ?? this.#begin(wanted, key));
    return {
      tag: name,
      size: bytes.length,
      open: async (range) => streamOf(range ? bytes.subarray(range.start, range.end + 1) : bytes),
    };
  }

  #begin(wanted: Wanted, key: string): Promise<Buffer> {
    const making = this.#make(wanted, key).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, making);
    return making;
  }

  async #make(wanted: Wanted, key: string): Promise<Buffer> {
    const { blobs, resizer, counter, perMinute } = this.#options;
    const { file, project, size } = wanted;
    const count = await counter.hit(`images:${networkOf(wanted.address)}`);
    if (count > perMinute) throw imagesBusy();
    const open = async () => {
      const source = await blobs.read(originalOf(project.id, file.id));
      if (!source) throw fileNotFound(file.urlKey);
      return source;
    };
    const bytes = await resizer.resize(project.id, { bytes: file.size, open }, size);
    await this.#keep(wanted, key, bytes);
    return bytes;
  }

  /** Keeps the result for later calls, if the project has room for it. If the file was deleted meanwhile, the result is removed too. */
  async #keep({ db, log, project, file }: Wanted, key: string, bytes: Buffer): Promise<void> {
    const { blobs } = this.#options;
    try {
      if (!(await recordVariant({ project, db }, file.id, bytes.length))) return;
      await blobs.put(key, streamOf(bytes));
      if (!(await findFile(db, file.id))) await blobs.removeAll(treeOf(project.id, file.id));
    } catch (error) {
      log.warn({ err: error }, 'a resized image could not be stored');
    }
  }
}

const streamOf = (bytes: Buffer) => Readable.from([bytes], { objectMode: false });
