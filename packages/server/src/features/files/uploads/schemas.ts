import { Type } from 'typebox';

export const uploadForm = Type.Object({
  file: Type.Unsafe<string>({ type: 'string', format: 'binary' }),
  path: Type.Optional(Type.String({ description: 'Target folder, such as `photos/2026/`.' })),
  private: Type.Optional(
    Type.Boolean({ description: 'True: no lasting URL, only signed ones that expire.' }),
  ),
});

export const directUploadBody = Type.Object(
  {
    name: Type.String({ maxLength: 1024 }),
    size: Type.Integer({ minimum: 0, description: 'In bytes, exactly.' }),
    path: Type.Optional(Type.String({ maxLength: 2048 })),
    private: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);

export const directUploadSchema = Type.Object({
  id: Type.String({ format: 'uuid', description: 'Becomes the file’s id.' }),
  method: Type.Literal('PUT'),
  uploadUrl: Type.String({ format: 'uri' }),
  expiresAt: Type.String({ format: 'date-time' }),
});
