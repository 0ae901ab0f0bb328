import { Type } from 'typebox';

export const fileSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    name: Type.String(),
    path: Type.String({ description: 'The folder: empty, or such as `photos/2026/`.' }),
    size: Type.Integer({ description: 'In bytes.' }),
    contentType: Type.String(),
    url: Type.Union([Type.String({ format: 'uri' }), Type.Null()], {
      description: 'Public, never changes, needs no credential. Null for a private file.',
    }),
    width: Type.Optional(Type.Integer({ description: 'Of images, in pixels.' })),
    height: Type.Optional(Type.Integer()),
    private: Type.Optional(Type.Literal(true)),
    uploadedBy: Type.Optional(Type.String({ description: 'The app user who sent it.' })),
    heldBy: Type.Optional(Type.String({ description: 'The document or app user it was sent with.' })),
    createdAt: Type.String({ format: 'date-time' }),
  },
  { $id: 'File' },
);

export const fileReference = Type.Unsafe({ $ref: 'File#' });

export const fileParams = Type.Object({ id: Type.String({ description: 'Id of the file.' }) });

export const usageSchema = Type.Object({
  used: Type.Integer({ description: 'In bytes.' }),
  limit: Type.Union([Type.Integer(), Type.Null()], { description: 'Null: unlimited.' }),
  available: Type.Union([Type.Integer(), Type.Null()]),
  files: Type.Integer(),
  byType: Type.Record(Type.String(), Type.Object({ files: Type.Integer(), bytes: Type.Integer() })),
});
