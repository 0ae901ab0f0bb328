import type { BlobStore } from '../../platform/blobs/blob-store.ts';
import type { WindowCounter } from '../../platform/counters/window-counter.ts';
import type { Vault } from '../../platform/vault.ts';
import type { FileUrls } from './file.ts';

/** What files need of the rest of the service. */
export interface StorageServices {
  readonly blobs: BlobStore;
  readonly urls: FileUrls;
  readonly vault: Vault;
  readonly counter: WindowCounter;
  /** Sizes and formats of images that one address may have made in a minute. */
  readonly imagesPerMinute: number;
  /** Bytes without a record wait to be removed. */
  readonly onLoose: () => void;
}
