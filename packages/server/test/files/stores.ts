import { readdir } from 'node:fs/promises';
import { relative } from 'node:path';
import { ListMultipartUploadsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { createS3Client } from '../../src/platform/blobs/s3/client.ts';
import { isMissing } from '../support/is-missing.ts';
import { settingsOf } from '../support/new-bucket.ts';
import type { TestApp } from '../support/test-app.ts';
import { testBucket } from '../support/test-bucket.ts';

/** A blob store for a test: how a node is told of it, and all that lies in it, half-written things too. */
interface StoreUnderTest {
  readonly settings: Record<string, string>;
  readonly keys: (t: TestApp) => Promise<string[]>;
}

async function folder(): Promise<StoreUnderTest> {
  return {
    settings: {},
    async keys({ config }) {
      const root = config.FILES_FOLDER!;
      const entries = await readdir(root, { recursive: true, withFileTypes: true });
      return entries
        .filter((entry) => entry.isFile())
        .map((entry) => `${relative(root, entry.parentPath)}/${entry.name}`);
    },
  };
}

async function bucket(): Promise<StoreUnderTest> {
  const options = await testBucket();
  const client = createS3Client(options);
  return {
    settings: settingsOf(options),
    async keys() {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: options.bucket }));
      const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: options.bucket }));
      return [...Contents.map(({ Key }) => Key!), ...Uploads.map(({ Key }) => `${Key} (half written)`)];
    },
  };
}

/** What is promised of files is promised on every store. */
export const storesUnderTest = [
  { name: 'folder', open: folder },
  ...(isMissing('s3') ? [] : [{ name: 'S3', open: bucket }]),
];
