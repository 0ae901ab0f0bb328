import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Files } from '../sandbox/index.ts';

const zip = promisify(gzip);
const unzip = promisify(gunzip);

/** Files as a deployment keeps them. */
export const packFiles = async (files: Files): Promise<Buffer> => zip(JSON.stringify(files));

export const unpackFiles = async (packed: Buffer): Promise<Files> =>
  JSON.parse((await unzip(packed)).toString('utf8')) as Files;
