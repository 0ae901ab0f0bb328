import { S3Client, S3ServiceException } from '@aws-sdk/client-s3';

import { traced } from '../../tracing/current-call.ts';

export interface S3Options {
  readonly bucket: string;
  readonly region: string;
  /** Of a store other than AWS. */
  readonly endpoint?: string;
  /** The bucket is in the path of addresses, not in the host name. */
  readonly pathStyle: boolean;
  /** Default: those that the SDK finds in its variables and files, or by the machine's role. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** Put before every key, with a slash. */
  readonly prefix?: string;
}

/** A download holds its socket for as long as its reader takes. */
const sockets = { maxSockets: 1024 };

export function createS3Client({ region, endpoint, pathStyle, credentials }: S3Options): S3Client {
  const client = new S3Client({
    region,
    forcePathStyle: pathStyle,
    ...(endpoint !== undefined && { endpoint }),
    ...(credentials && { credentials }),
    maxAttempts: 3,
    // Not all stores other than AWS know the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // It would make the SDK open a connection for every part.
    expectContinueHeader: false,
    requestHandler: {
      connectionTimeout: 3000,
      // Until the answer begins; up to 5 MB of a part are sent before that.
      requestTimeout: 60_000,
      throwOnRequestTimeout: true,
      // Without a byte either way. A reader that pauses for longer has to ask again for the rest.
      socketTimeout: 120_000,
      httpAgent: sockets,
      httpsAgent: sockets,
    },
  });
  client.middlewareStack.add(
    (next, { commandName }) =>
      (given) =>
        traced(
          's3',
          () => commandName?.replace(/Command$/, '') ?? 'unnamed',
          () => next(given),
        ),
    { step: 'initialize', name: 'traced' },
  );
  return client;
}

/** Whether what was asked for, an object or a multipart upload, does not exist. A missing bucket is another matter. */
export function isMissing(error: unknown): boolean {
  return (
    error instanceof S3ServiceException && ['NoSuchKey', 'NotFound', 'NoSuchUpload'].includes(error.name)
  );
}
