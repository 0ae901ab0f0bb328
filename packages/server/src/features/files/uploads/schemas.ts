import { Type } from 'typebox';

const path = {
  description: 'Target folder, such as `photos/2026/`.',
  examples: ['photos/2026/'],
};
const isPrivate = { description: 'True: no lasting URL, only signed ones that expire.' };

export const uploadForm = Type.Object({
  file: Type.Unsafe<string>({
    type: 'string',
    format: 'binary',
    description: 'The file, with its name.',
    examples: ['@lake.jpg'],
  }),
  path: Type.Optional(Type.String(path)),
  private: Type.Optional(Type.Boolean(isPrivate)),
});

export const directUploadBody = Type.Object(
  {
    name: Type.String({ maxLength: 1024, description: 'The name of the file, with its extension.' }),
    size: Type.Integer({ minimum: 0, description: 'The exact size in bytes.' }),
    path: Type.Optional(Type.String({ maxLength: 2048, ...path })),
    private: Type.Optional(Type.Boolean(isPrivate)),
  },
  {
    additionalProperties: false,
    examples: [{ name: 'talk.mp4', size: 7_340_032, path: 'talks/' }],
  },
);

export const directUploadSchema = Type.Object({
  id: Type.String({ format: 'uuid', description: 'Becomes the file’s id.' }),
  method: Type.Literal('PUT'),
  uploadUrl: Type.String({
    format: 'uri',
    description: 'Send the bytes here, without a credential.',
    examples: [
      'https://api.example.com/files/abcdefghijkl/incoming/0b54e3b4-6f0c-4f5e-9d5e-8f4a1c2d3e4f?expires=1795000000&signature=q7XfJm2bW0uT5nC8',
    ],
  }),
  expiresAt: Type.String({ format: 'date-time', description: 'When the URL expires.' }),
});
