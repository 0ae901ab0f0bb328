import type { Readable } from 'node:stream';
import { DataStore, ERRORS, Upload as TusUpload } from '@tus/server';
import type { RequestContext } from '../../../../calls/index.ts';
import {
  type FilesDeps,
  findFile,
  invalidFileName,
  isUuid,
  keepLoose,
  originalOf,
  treeOf,
  visibleUploader,
} from '../../records/index.ts';
import { privateIsBoolean, uploadBusy } from '../errors.ts';
import {
  type AnnouncedFile,
  abandonUpload,
  completeUpload,
  getUpload,
  startUpload,
} from '../start-upload.ts';
import { UploadLease } from '../upload-lease.ts';
import { saveProgress, type Upload } from '../upload-store.ts';

/** How long an upload may rest before its bytes are removed. */
const keptSeconds = 86_400;

/** The data store of the tus protocol's server, for one call. Records and checks are those of every upload. */
export class ResumableUploads extends DataStore {
  readonly #deps: FilesDeps;
  readonly #context: RequestContext;

  constructor(deps: FilesDeps, context: RequestContext) {
    super();
    this.#deps = deps;
    this.#context = context;
    this.extensions = ['creation', 'creation-with-upload', 'termination', 'expiration'];
  }

  override async create(upload: TusUpload): Promise<TusUpload> {
    const { filename, name, path, private: isPrivate } = upload.metadata ?? {};
    const given = filename ?? name;
    if (!given) throw invalidFileName('is missing: send it as "filename" in Upload-Metadata');
    if (isPrivate !== undefined && isPrivate !== 'true' && isPrivate !== 'false') throw privateIsBoolean();
    if (upload.size === undefined) throw ERRORS.INVALID_LENGTH;
    const announced: AnnouncedFile = {
      id: upload.id,
      kind: 'resumable',
      name: given,
      path: path ?? '',
      size: upload.size,
      isPrivate: isPrivate === 'true',
    };
    const trees = [treeOf(this.#context.project.id, upload.id)];
    await startUpload(this.#deps, this.#context, announced, { trees, seconds: keptSeconds });
    upload.creation_date = new Date().toISOString();
    return upload;
  }

  override async getUpload(id: string): Promise<TusUpload> {
    const finished = await this.#finishedSize(id);
    if (finished !== undefined) return new TusUpload({ id, size: finished, offset: finished });
    const upload = await getUpload(this.#context, id, 'resumable');
    // If a node stopped between the last byte and the record, whoever asks next, holding the lock, does the rest.
    if (upload.progress.size === upload.size) await this.#complete(upload);
    return new TusUpload({
      id,
      size: upload.size,
      offset: upload.progress.size,
      // The protocol's server counts the time an upload has left from here; every write starts it again.
      creation_date: new Date().toISOString(),
    });
  }

  override async write(body: Readable, id: string, offset: number): Promise<number> {
    const { db, project } = this.#context;
    const upload = await getUpload(this.#context, id, 'resumable');
    if (upload.progress.size !== offset) throw ERRORS.INVALID_OFFSET;
    await keepLoose(db, treeOf(project.id, id), keptSeconds);
    let size = offset;
    await this.#deps.blobs.append(originalOf(project.id, id), upload.progress, body, async (progress) => {
      if (!(await saveProgress(db, id, size, progress))) throw ERRORS.INVALID_OFFSET;
      size = progress.size;
    });
    return size;
  }

  override async remove(id: string): Promise<void> {
    await abandonUpload(this.#deps, this.#context, await getUpload(this.#context, id, 'resumable'));
  }

  override getExpiration(): number {
    return keptSeconds * 1000;
  }

  /** Fails unless the caller has such an upload, or a file that was made of one. */
  async requireVisible(id: string): Promise<void> {
    if ((await this.#finishedSize(id)) === undefined) await getUpload(this.#context, id, 'resumable');
  }

  /** Makes a file of an upload whose bytes are all there, unless that is done already. */
  async finish(id: string): Promise<void> {
    await using lease = await UploadLease.take(this.#context.db, id);
    if (!lease) throw uploadBusy();
    if ((await this.#finishedSize(id)) !== undefined) return;
    await this.#complete(await getUpload(this.#context, id, 'resumable'));
  }

  async #complete(upload: Upload): Promise<void> {
    const key = originalOf(this.#context.project.id, upload.id);
    await this.#deps.blobs.finishAppend(key, upload.progress);
    await completeUpload(this.#deps, this.#context, upload);
  }

  async #finishedSize(id: string): Promise<number | undefined> {
    const file = isUuid(id) ? await findFile(this.#context.db, id) : undefined;
    const uploader = visibleUploader(this.#context);
    return file && (uploader === undefined || file.uploadedBy === uploader) ? file.size : undefined;
  }
}
