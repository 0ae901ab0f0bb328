import { randomUUID } from 'node:crypto';
import { CreateBucketCommand } from '@aws-sdk/client-s3';
import { createS3Client, type S3Options } from '../../src/platform/blobs/s3/client.ts';
import type { Ceph } from './ceph.ts';

export type TestBucket = Required<Omit<S3Options, 'prefix'>>;

/** A new bucket on the gateway. */
export async function newBucket(ceph: Omit<Ceph, 'stop'>): Promise<TestBucket> {
  const { endpoint, region, accessKeyId, secretAccessKey } = ceph;
  const options = {
    bucket: `test-${randomUUID()}`,
    region,
    endpoint,
    pathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
  };
  const client = createS3Client(options);
  await client.send(new CreateBucketCommand({ Bucket: options.bucket }));
  client.destroy();
  return options;
}

/** The configuration of a node that keeps files in the bucket. */
export function settingsOf({ bucket, region, endpoint, credentials }: TestBucket): Record<string, string> {
  return {
    S3_BUCKET: bucket,
    S3_REGION: region,
    S3_ENDPOINT: endpoint,
    S3_PATH_STYLE: 'true',
    S3_ACCESS_KEY_ID: credentials.accessKeyId,
    S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  };
}
