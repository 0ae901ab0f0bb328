import type { UserId } from '../project-types.ts';

export interface FileRecord {
  readonly id: string;
  readonly name: string;
  /** The folder, such as `photos/2026/`. */
  readonly path: string;
  readonly size: number;
  readonly contentType: string;
  /** The public URL; null for a private file. */
  readonly url: string | null;
  /** For images, in pixels. */
  readonly width?: number;
  readonly height?: number;
  readonly private?: true;
  readonly uploadedBy?: UserId;
  /** The document or app user that it was uploaded with. */
  readonly heldBy?: string;
  readonly createdAt: string;
}
