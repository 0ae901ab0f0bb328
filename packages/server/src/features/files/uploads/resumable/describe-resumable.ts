import { type TSchema, Type } from 'typebox';
import { projectHeaders } from '../../../../calls/index.ts';
import type { Operation, Parameter, ResponseHeader } from '../../../../platform/http/openapi/index.ts';

const bytes = Type.Unsafe<string>({ type: 'string', format: 'binary', examples: ['(bytes of talk.mp4)'] });
const chunk = 'application/offset+octet-stream';

const header = (name: string, schema: TSchema, isRequired = true): Parameter => ({
  in: 'header',
  name,
  schema,
  isRequired,
});

const version = header(
  'Tus-Resumable',
  Type.Literal('1.0.0', { description: 'The version of the protocol.' }),
);
const upload: Parameter = {
  in: 'path',
  name: 'id',
  isRequired: true,
  schema: Type.String({ description: 'Id of the upload, from `Location`. It becomes the id of the file.' }),
};

const spoken: ResponseHeader[] = [...projectHeaders, 'Tus-Resumable'];
const refused = (description: string) => ({
  description,
  headers: spoken,
  content: { 'text/plain': Type.String({ examples: ['Tus-Resumable Required\n'] }) },
});

const shared = {
  tag: 'Files',
  credentials: ['apiKey', 'bearer'],
  failures: [400, 401, 403, 413, 429, 500, 503],
} as const;
const wrongVersion = refused('`Tus-Resumable` is missing, or another version');

const operations: Readonly<Record<string, Operation>> = {
  POST: {
    ...shared,
    operationId: 'startResumableUpload',
    summary: 'Start a resumable upload',
    description:
      'For large files on unreliable connections, with the tus protocol 1.0.0 (https://tus.io) and its clients. The request can include the first bytes. Uploads without activity for 24 hours are removed.',
    parameters: [
      version,
      header('Upload-Length', Type.Integer({ minimum: 0, description: 'How many bytes the file has.' })),
      header(
        'Upload-Metadata',
        Type.String({
          description:
            'Names and values in base64: `filename`, and if you like `path` and `private` (`true` or `false`).',
          examples: ['filename dGFsay5tcDQ=,path dGFsa3Mv'],
        }),
      ),
    ],
    body: { isOptional: true, content: { [chunk]: bytes } },
    responses: {
      201: {
        description: 'Started',
        headers: [...spoken, 'Location', 'Upload-Offset', 'Upload-Expires', 'Plinth-File-Id'],
      },
      412: wrongVersion,
    },
  },
  HEAD: {
    ...shared,
    operationId: 'getResumableUpload',
    summary: 'See how much of an upload has arrived',
    description: 'To resume after a lost connection, send what comes after `Upload-Offset`.',
    parameters: [upload, version],
    responses: {
      200: {
        description: 'In progress',
        headers: [...spoken, 'Upload-Offset', 'Upload-Length', 'Upload-Metadata', 'Upload-Expires'],
      },
      412: wrongVersion,
    },
    failures: [...shared.failures, 404],
  },
  PATCH: {
    ...shared,
    operationId: 'continueResumableUpload',
    summary: 'Send more of an upload',
    description:
      'Any number of bytes, from where it stopped. With the last of them it becomes a file, whose id is in `Plinth-File-Id`.',
    parameters: [
      upload,
      version,
      header('Upload-Offset', Type.Integer({ minimum: 0, description: 'Where these bytes begin.' })),
    ],
    body: { content: { [chunk]: bytes } },
    responses: {
      204: {
        description: 'Accepted',
        headers: [...spoken, 'Upload-Offset', 'Upload-Expires', 'Plinth-File-Id'],
      },
      409: refused('The bytes do not begin where the upload stopped'),
      412: wrongVersion,
    },
    failures: [...shared.failures, 404],
  },
  DELETE: {
    ...shared,
    operationId: 'cancelResumableUpload',
    summary: 'Cancel a resumable upload',
    description: 'Removes what has arrived, and frees its storage again.',
    parameters: [upload, version],
    responses: { 204: { description: 'Cancelled', headers: spoken }, 412: wrongVersion },
    failures: [...shared.failures, 404],
  },
};

/** What the OpenAPI document says of the calls of the tus protocol. */
export function describeResumable(method: string): Operation | undefined {
  return operations[method];
}
