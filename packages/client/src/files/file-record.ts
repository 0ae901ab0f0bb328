import type { UserId } from '../project-types.ts';

export interface FileRecord {
  readonly id: string;
  readonly name: string;
  /** The folder, such as `photos/2026/`. */
  readonly path: string;
  readonly size: number;
  readonly contentType: string;
  /** Where everyone can read it; null for a private file. */
  readonly url: string | null;
  /** Of pictures, in pixels. */
  readonly width?: number;
  readonly height?: number;
  readonly private?: true;
  readonly uploadedBy?: UserId;
  /** The document or app user that it was sent with. */
  readonly heldBy?: string;
  readonly createdAt: string;
}
