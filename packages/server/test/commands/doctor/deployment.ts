import { examine } from '../../../src/commands/doctor/run-doctor.ts';
import type { TestBucket } from '../../support/new-bucket.ts';
import type { TestApp } from '../../support/test-app.ts';

/** The environment of the node of a test, with a mistake in it. */
export function environmentOf(
  { config, url }: Pick<TestApp, 'config' | 'url'>,
  changes: Record<string, string> = {},
): Record<string, string> {
  return {
    DATABASE_URL: config.DATABASE_URL,
    CELL_DATABASE_URLS: config.CELL_DATABASE_URLS,
    SECRET_KEY: config.SECRET_KEY,
    FILES_FOLDER: config.FILES_FOLDER ?? '',
    REDIS_URL: config.REDIS_URL ?? '',
    PUBLIC_URL: url,
    ...changes,
  };
}

/** What a check says of a deployment. */
export async function findingIn(id: string, environment: Record<string, string>, processes?: number) {
  const { checks } = await examine(environment, processes);
  const found = checks.find((check) => check.id === id);
  if (!found) throw new Error(`There is no check ${id}: ${checks.map((check) => check.id).join(', ')}`);
  return found;
}

export const bucketSettings = ({ bucket, endpoint, region, credentials }: TestBucket) => ({
  FILES_FOLDER: '',
  S3_BUCKET: bucket,
  S3_ENDPOINT: endpoint,
  S3_REGION: region,
  S3_PATH_STYLE: 'true',
  S3_ACCESS_KEY_ID: credentials.accessKeyId,
  S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
});
