import { Type } from 'typebox';
import type { Operation, Parameter, ResponseHeader } from '../../../platform/http/openapi/index.ts';
import { imageParameters } from '../images/index.ts';

const bytes = Type.Unsafe<string>({
  type: 'string',
  format: 'binary',
  examples: ['(the bytes of the file)'],
});

const parameters: readonly Parameter[] = [
  {
    in: 'path',
    name: 'ref',
    isRequired: true,
    schema: Type.String({ description: 'The project’s ref.', examples: ['abcdefghijkl'] }),
  },
  {
    in: 'path',
    name: 'file',
    isRequired: true,
    schema: Type.String({
      description: 'The last part of the file’s `url`.',
      examples: ['5f0c6b1e9d3a4c2b8e7f6a5d4c3b2a19.jpg'],
    }),
  },
  ...Object.entries({
    ...imageParameters,
    download: Type.String({
      description: 'Whatever its value: browsers save the file instead of showing it.',
    }),
    expires: Type.Integer({ description: 'Of a signed URL: when it expires, in seconds since 1970.' }),
    signature: Type.String({ description: 'Of a signed URL: the signature.' }),
  }).map(([name, schema]) => ({ in: 'query' as const, name, schema })),
  ...Object.entries({
    Range: Type.String({ description: 'Which bytes to send.', examples: ['bytes=0-1023'] }),
    'If-None-Match': Type.String({ description: '`ETag` of what you have: 304 if it is the same.' }),
  }).map(([name, schema]) => ({ in: 'header' as const, name, schema })),
];

const kept: ResponseHeader[] = [
  'X-Request-Id',
  'Cache-Control',
  'ETag',
  'Last-Modified',
  'Content-Disposition',
  'Content-Security-Policy',
];

/** What the OpenAPI document says of the URLs of files. */
export function describeDelivery(method: string): Operation | undefined {
  if (method !== 'GET') return undefined;
  return {
    operationId: 'downloadFile',
    tag: 'Files',
    summary: 'Download a file, or an image in another size',
    description:
      'The `url` of a file’s record. It needs no credential, allows every origin, and never changes, so caches can keep it for a year. A private file needs a signed URL. Images accept `w`, `h`, `fit` and `format`: the result is stored for the next request.',
    credentials: [],
    parameters,
    responses: {
      200: {
        description: 'The file',
        headers: [...kept, 'Accept-Ranges'],
        content: { 'application/octet-stream': bytes },
      },
      206: {
        description: 'The requested bytes',
        headers: [...kept, 'Accept-Ranges', 'Content-Range'],
        content: { 'application/octet-stream': bytes },
      },
      304: { description: 'Not modified', headers: kept },
    },
    failures: [400, 403, 404, 416, 429, 500, 503],
  };
}
