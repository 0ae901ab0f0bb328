import { expect, test } from 'vitest';
import { ConfigError, parseConfig } from '../config/config.ts';
import { openBlobStore } from './open-blob-store.ts';

const open = async (settings: Record<string, string>) =>
  openBlobStore(
    parseConfig({ DATABASE_URL: 'postgres://localhost/plinth', SECRET_KEY: 'x'.repeat(32), ...settings }),
  );

test('bytes of files go to a folder or to a bucket', async () => {
  expect((await open({ FILES_FOLDER: '/srv/files' })).description).toBe('folder /srv/files');
  expect((await open({ S3_BUCKET: 'files' })).description).toBe('bucket files');
  const elsewhere = { S3_BUCKET: 'files', S3_ENDPOINT: 'https://s3.example.com', S3_PATH_STYLE: 'true' };
  expect((await open(elsewhere)).description).toBe('bucket files at https://s3.example.com');
});

test.each<[string, Record<string, string>]>([
  ['There is no place to store files', {}],
  ['Choose one place to store files', { FILES_FOLDER: '/srv/files', S3_BUCKET: 'files' }],
  ['or neither', { S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'key' }],
  ['or neither', { S3_BUCKET: 'files', S3_SECRET_ACCESS_KEY: 'secret' }],
])('"%s" is what a node is told that is configured with %j', async (told, settings) => {
  await expect(open(settings)).rejects.toThrow(ConfigError);
  await expect(open(settings)).rejects.toThrow(told);
});

test.each([{ S3_ENDPOINT: 's3.example.com' }, { S3_PATH_STYLE: 'yes' }])('%j is refused', async (wrong) => {
  await expect(open({ S3_BUCKET: 'files', ...wrong })).rejects.toThrow(Object.keys(wrong)[0]);
});
