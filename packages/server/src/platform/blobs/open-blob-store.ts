import { type Config, ConfigError } from '../config/config.ts';
import type { BlobStore } from './blob-store.ts';
import { FolderStore } from './folder/folder-store.ts';

type Settings = Pick<
  Config,
  | 'FILES_FOLDER'
  | 'S3_BUCKET'
  | 'S3_ENDPOINT'
  | 'S3_REGION'
  | 'S3_ACCESS_KEY_ID'
  | 'S3_SECRET_ACCESS_KEY'
  | 'S3_PATH_STYLE'
>;

/** The store that the configuration names. It connects to nothing and makes nothing before it is used. */
export async function openBlobStore(config: Settings): Promise<BlobStore> {
  const { FILES_FOLDER: folder, S3_BUCKET: bucket } = config;
  if (folder !== undefined && bucket !== undefined) {
    throw new ConfigError('FILES_FOLDER and S3_BUCKET are both set. Choose one place to store files.');
  }
  if (folder !== undefined) return new FolderStore(folder);
  if (bucket !== undefined) return openBucket(bucket, config);
  throw new ConfigError(
    'There is no place to store files. Set S3_BUCKET, or FILES_FOLDER to a folder that all nodes share.',
  );
}

async function openBucket(bucket: string, config: Settings): Promise<BlobStore> {
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = config;
  if ((accessKeyId === undefined) !== (secretAccessKey === undefined)) {
    throw new ConfigError('Set both S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, or neither.');
  }
  // Loading the client takes a tenth of a second; whoever has no bucket is spared it.
  const { S3Store } = await import('./s3/s3-store.ts');
  return new S3Store({
    bucket,
    region: config.S3_REGION,
    pathStyle: config.S3_PATH_STYLE === 'true',
    ...(config.S3_ENDPOINT !== undefined && { endpoint: config.S3_ENDPOINT }),
    ...(accessKeyId !== undefined &&
      secretAccessKey !== undefined && { credentials: { accessKeyId, secretAccessKey } }),
  });
}
