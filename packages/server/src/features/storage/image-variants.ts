import { Readable } from 'node:stream';
import type { ProjectDb } from '../../platform/db/project-db.ts';
import { networkOf } from '../../platform/http/network-of.ts';
import type { Log } from '../../platform/log.ts';
import { fileNotFound, imagesBusy } from './errors.ts';
import { type File, originalOf, treeOf } from './file.ts';
import { variantName } from './image-query.ts';
import { type ImageSize, resizeImage } from './images.ts';
import type { Content } from './send-content.ts';
import type { StorageServices } from './services.ts';
import { countVariant, findFile } from './store.ts';

/** How many sizes and formats of one image are kept; more are made anew each time. */
const keptVariants = 50;

/** Conversions under way on this node: whoever asks for one of them waits for the same. */
const underWay = new Map<string, Promise<Buffer>>();

interface Wanted {
  readonly db: ProjectDb;
  readonly log: Log;
  readonly projectId: string;
  readonly address: string;
  readonly file: File;
  readonly size: ImageSize;
}

/** The image as it is asked for: kept from an earlier call, or made now and kept. */
export async function imageVariant(services: StorageServices, wanted: Wanted): Promise<Content> {
  const name = variantName(wanted.size);
  const key = `${treeOf(wanted.projectId, wanted.file.id)}/${name}`;
  const keptSize = await services.blobs.sizeOf(key);
  if (keptSize !== undefined) {
    return { tag: name, size: keptSize, open: (range) => services.blobs.read(key, range) };
  }
  const made = underWay.get(key) ?? make(services, wanted, key);
  const bytes = await made;
  return {
    tag: name,
    size: bytes.length,
    open: async (range) =>
      Readable.from([range ? bytes.subarray(range.start, range.end + 1) : bytes], { objectMode: false }),
  };
}

async function make(services: StorageServices, wanted: Wanted, key: string): Promise<Buffer> {
  const making = (async () => {
    const count = await services.counter.hit(`images:${networkOf(wanted.address)}`);
    if (count > services.imagesPerMinute) throw imagesBusy();
    const { file, projectId } = wanted;
    const open = async () => {
      const source = await services.blobs.read(originalOf(projectId, file.id));
      if (!source) throw fileNotFound(file.urlKey);
      return source;
    };
    const bytes = await resizeImage({ bytes: file.size, open }, wanted.size);
    await keep(services, wanted, key, bytes);
    return bytes;
  })();
  underWay.set(key, making);
  try {
    return await making;
  } finally {
    underWay.delete(key);
  }
}

/** Keeps the result for later calls. If the file went meanwhile, so does what was made of it. */
async function keep(
  services: StorageServices,
  { db, log, file }: Wanted,
  key: string,
  bytes: Buffer,
): Promise<void> {
  try {
    if (!(await countVariant(db, file.id, keptVariants))) return;
    await services.blobs.put(key, Readable.from([bytes], { objectMode: false }));
    if (!(await findFile(db, file.id))) await services.blobs.removeAll(key.slice(0, key.lastIndexOf('/')));
  } catch (error) {
    log.warn({ err: error }, 'a resized image could not be kept');
  }
}
