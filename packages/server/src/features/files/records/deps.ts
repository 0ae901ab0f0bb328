import type { Project } from '../../../calls/index.ts';
import type { BlobStore } from '../../../platform/blobs/blob-store.ts';
import type { Vault } from '../../../platform/crypto/vault.ts';
import type { FileUrls } from './file.ts';

/** What every part of files needs of the node. */
export interface FilesDeps {
  readonly blobs: BlobStore;
  readonly urls: FileUrls;
  readonly vault: Vault;
  /** Fails if the cell of a project takes no more writes. */
  readonly requireRoom: (project: Pick<Project, 'cell'>) => void;
  /** Called when bytes without a record wait to be removed. */
  readonly onLoose: () => void;
}
