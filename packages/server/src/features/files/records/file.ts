import { randomBytes } from 'node:crypto';
import { kindOf } from '../kinds/index.ts';

/** A stored file. */
export interface File {
  readonly id: string;
  readonly urlKey: string;
  readonly name: string;
  readonly path: string;
  readonly extension: string;
  readonly size: number;
  readonly width: number | null;
  readonly height: number | null;
  readonly isPrivate: boolean;
  readonly uploadedBy: string | null;
  /** The document or app user it came with. */
  readonly heldBy: string | null;
  readonly createdAt: Date;
}

/** A file whose bytes are stored, before it is recorded. */
export type NewFile = Omit<File, 'heldBy' | 'createdAt'>;

/** Makes the URL of a public file impossible to guess: 128 random bits. */
export const newUrlKey = (): string => randomBytes(16).toString('hex');

/** Where a file's bytes are in the blob store: `original`, and resized images beside it. */
export const treeOf = (projectId: string, fileId: string): string => `${projectId}/${fileId}`;
export const originalOf = (projectId: string, fileId: string): string =>
  `${treeOf(projectId, fileId)}/original`;

/** Where a client's own PUT lands. It can be repeated until its address expires, so it is never what is delivered. */
export const incomingOf = (projectId: string, fileId: string): string => `${projectId}/${fileId}-incoming`;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
export const isUuid = (text: string): boolean => uuid.test(text);

/** Makes addresses of files. */
export class FileUrls {
  readonly #files: () => string;
  readonly #service: () => string;

  /** Where files are delivered, and where the service is called; known only once the server listens. */
  constructor(files: () => string, service: () => string) {
    this.#files = files;
    this.#service = service;
  }

  of(ref: string, file: Pick<File, 'urlKey' | 'extension'>): string {
    return `${this.#files()}/files/${ref}/${file.urlKey}.${file.extension}`;
  }

  /** Where a client sends bytes itself, if the blob store has no address of its own for that. */
  forPut(ref: string, uploadId: string): string {
    return `${this.#service()}/files/${ref}/incoming/${uploadId}`;
  }
}

/** What callers see of a file. A private one has no lasting URL. */
export function fileRecord(urls: FileUrls, ref: string, file: File) {
  return {
    id: file.id,
    name: file.name,
    path: file.path,
    size: file.size,
    contentType: kindOf(file.extension).contentType,
    url: file.isPrivate ? null : urls.of(ref, file),
    ...(file.width !== null && { width: file.width, height: file.height }),
    ...(file.isPrivate && { private: true }),
    ...(file.uploadedBy !== null && { uploadedBy: file.uploadedBy }),
    ...(file.heldBy !== null && { heldBy: file.heldBy }),
    createdAt: file.createdAt.toISOString(),
  };
}
