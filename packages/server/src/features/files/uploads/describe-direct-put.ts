import { Type } from 'typebox';
import type { Operation } from '../../../platform/http/openapi/index.ts';

const bytes = Type.Unsafe<string>({
  type: 'string',
  format: 'binary',
  examples: ['(the bytes of talk.mp4)'],
});

/** What the OpenAPI document says of the address that a direct upload goes to, where it is one of the service. */
export function describeDirectPut(): Operation {
  return {
    operationId: 'sendDirectUpload',
    tag: 'Files',
    summary: 'Send the bytes of a direct upload',
    description:
      'The `uploadUrl` of a direct upload, if the service stores files itself; otherwise the URL points to the store. Use it unchanged, and send exactly as many bytes as were announced.',
    credentials: [],
    parameters: [
      {
        in: 'path',
        name: 'ref',
        isRequired: true,
        schema: Type.String({ description: 'The project’s ref.', examples: ['abcdefghijkl'] }),
      },
      {
        in: 'path',
        name: 'id',
        isRequired: true,
        schema: Type.String({ description: 'Id of the upload.' }),
      },
      {
        in: 'query',
        name: 'expires',
        isRequired: true,
        schema: Type.Integer({ description: 'When it expires, in seconds since 1970.' }),
      },
      {
        in: 'query',
        name: 'signature',
        isRequired: true,
        schema: Type.String({ description: 'The signature, as in the `uploadUrl`.' }),
      },
    ],
    body: { content: { 'application/octet-stream': bytes } },
    responses: { 200: { description: 'All bytes have arrived', headers: ['X-Request-Id'] } },
    failures: [400, 403, 404, 429, 500, 503],
  };
}
