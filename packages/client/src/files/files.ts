import type { KeyValueStorage } from '../auth/session-keeper.ts';
import type { CallOptions, Http } from '../http.ts';
import type { FileRecord } from './file-record.ts';
import type { Gate } from './sending.ts';

export interface UploadOptions extends CallOptions {
  /** Unless it is a `File`, which has one. The extension says what it is. */
  readonly name?: string;
  /** A folder, such as `photos/2026/`. */
  readonly path?: string;
  /** Without a lasting URL: see `signedUrl`. */
  readonly isPrivate?: boolean;
  /** Never goes back. In Node, Deno and Bun it is told after each piece only. */
  readonly onProgress?: (progress: { readonly sent: number; readonly total: number }) => void;
  /** In pieces, so that it survives breaks and reloads: unless said otherwise from 10 MB on. */
  readonly isResumable?: boolean;
}

/** A file on its way: wait for it, or hold it back for a while. */
export interface Upload extends Promise<FileRecord> {
  /** Sends nothing more; an upload in one piece is sent to its end. */
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

  /** Uploads a file. One that was cut off or left goes on where it was when it is uploaded again. */
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

  /** The files of a folder, newest first, and the folders in it. */
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

  /** An address of a private file that is good for some time: an hour, unless `expiresIn` says how many seconds. */
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
