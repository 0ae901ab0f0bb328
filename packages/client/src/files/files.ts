import type { KeyValueStorage } from '../auth/session-keeper.ts';
import type { CallOptions, Http } from '../http.ts';
import type { FileRecord } from './file-record.ts';
import type { Gate } from './sending.ts';

export interface UploadOptions extends CallOptions {
  /** The file name; a `File` already has one. The extension determines the type. */
  readonly name?: string;
  /** The target folder, such as `photos/2026/`. */
  readonly path?: string;
  /** Without a permanent URL: see `signedUrl`. */
  readonly isPrivate?: boolean;
  /** Called with the progress, which never decreases. In Node, Deno and Bun, it is only called after each chunk. */
  readonly onProgress?: (progress: { readonly sent: number; readonly total: number }) => void;
  /** Uploads in chunks, so that the upload survives lost connections and reloads; by default from 10 MB on. */
  readonly isResumable?: boolean;
}

/** An upload in progress: await it, or pause it. */
export interface Upload extends Promise<FileRecord> {
  /** Pauses the upload; an upload in a single request is sent to its end. */
  pause(): void;
  resume(): void;
}

const resumableFrom = 10 * 1_048_576;
/** Without a sign of life for so long, the line is dead; `fetch` gives none while it sends. */
const uploadTimeoutMs = 600_000;

/** The files of a project. */
export class Files {
  readonly #http: Http;
  readonly #storage: KeyValueStorage | undefined;

  constructor(http: Http, storage: KeyValueStorage | undefined) {
    this.#http = http;
    this.#storage = storage;
  }

  /** Uploads a file. If you upload an interrupted one again, it resumes where it stopped. */
  upload(file: Blob, options: UploadOptions = {}): Upload {
    const gate: Gate = { isOpen: true };
    return Object.assign(this.#upload(file, options, gate), {
      pause: () => {
        gate.isOpen = false;
        gate.stop?.();
      },
      resume: () => {
        gate.isOpen = true;
        gate.open?.();
      },
    });
  }

  async #upload(file: Blob, options: UploadOptions, gate: Gate): Promise<FileRecord> {
    const { path, isPrivate, onProgress, isResumable = file.size > resumableFrom, ...others } = options;
    const { name = (file as Partial<File>).name, ...rest } = others;
    if (!name) throw new TypeError('The file needs a name: upload(blob, { name: "photo.jpg" }).');
    const total = file.size;
    let most = 0;
    const onSent = (sent: number) => {
      // A form is a little longer than its file, and after a break some of it is sent again.
      if (sent > most) onProgress?.({ sent: (most = Math.min(sent, total)), total });
    };
    if (isResumable) {
      const { uploadInPieces } = await import('./upload-in-pieces.ts');
      const sending = { ...rest, name, path, isPrivate, onSent, gate };
      return this.get(await uploadInPieces(this.#http, this.#storage, file, sending), rest);
    }
    const form = new FormData();
    if (path !== undefined) form.append('path', path);
    if (isPrivate) form.append('private', 'true');
    form.append('file', file, name);
    const { data } = await this.#http.call<FileRecord>({
      timeoutMs: uploadTimeoutMs,
      ...rest,
      method: 'POST',
      path: '/storage/upload',
      body: form,
      ...(onProgress && { onProgress: onSent }),
    });
    onSent(total);
    return data;
  }

  async get(id: string, options: CallOptions = {}): Promise<FileRecord> {
    return (await this.#http.call<FileRecord>({ ...options, method: 'GET', path: placeOf(id) })).data;
  }

  /** Lists the files of a folder, newest first, and its subfolders. */
  async list(
    folder: { path?: string; limit?: number; offset?: number } = {},
    options: CallOptions = {},
  ): Promise<{ items: FileRecord[]; folders: string[]; total: number; hasMore: boolean }> {
    const query = Object.entries(folder)
      .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]))
      .join('&');
    const call = { ...options, method: 'GET', path: '/storage/list', query } as const;
    const answer = await this.#http.call<FileRecord[]>(call);
    const { folders } = answer as unknown as { folders: string[] };
    return { items: answer.data, folders, total: answer.total ?? 0, hasMore: answer.hasMore ?? false };
  }

  async delete(id: string, options: CallOptions = {}): Promise<void> {
    await this.#http.call({ ...options, method: 'DELETE', path: placeOf(id) });
  }

  /** A temporary URL of a private file: valid for an hour by default, or for `expiresIn` seconds. */
  async signedUrl(
    id: string,
    { expiresIn, ...options }: CallOptions & { expiresIn?: number } = {},
  ): Promise<string> {
    const path = `${placeOf(id)}/signed-url`;
    const call = { ...options, method: 'POST', path, body: { expiresIn }, isRepeatable: true } as const;
    return (await this.#http.call<{ url: string }>(call)).data.url;
  }
}

const placeOf = (id: string) => `/storage/file/${encodeURIComponent(id)}`;
