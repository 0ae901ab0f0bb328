import { Type } from 'typebox';

export const fileSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    name: Type.String({ description: 'The name it was uploaded with.', examples: ['lake.jpg'] }),
    path: Type.String({
      description: 'The folder: empty, or such as `photos/2026/`.',
      examples: ['photos/2026/'],
    }),
    size: Type.Integer({ description: 'In bytes.', examples: [48_211] }),
    contentType: Type.String({
      description: 'Determined by its content, not by its name.',
      examples: ['image/jpeg'],
    }),
    url: Type.Union([Type.String({ format: 'uri' }), Type.Null()], {
      description: 'Public, never changes, needs no credential. Null for a private file.',
    }),
    width: Type.Optional(Type.Integer({ description: 'Of images, in pixels.', examples: [1600] })),
    height: Type.Optional(Type.Integer({ description: 'Of images, in pixels.', examples: [900] })),
    private: Type.Optional(
      Type.Literal(true, { description: 'It has no lasting URL, only signed ones.', examples: [] }),
    ),
    uploadedBy: Type.Optional(
      Type.String({ description: 'Id of the app user who uploaded it.', examples: [] }),
    ),
    heldBy: Type.Optional(
      Type.String({ description: 'Id of the document or app user it was uploaded with.', examples: [] }),
    ),
    createdAt: Type.String({ format: 'date-time' }),
  },
  { $id: 'File', description: 'The record of a stored file.' },
);

export const fileReference = Type.Unsafe({ $ref: 'File#' });

export const fileParams = Type.Object({
  id: Type.String({
    description: 'Id of the file.',
    examples: ['0b54e3b4-6f0c-4f5e-9d5e-8f4a1c2d3e4f'],
  }),
});

export const deletedFileSchema = Type.Object({
  id: Type.String({ examples: ['0b54e3b4-6f0c-4f5e-9d5e-8f4a1c2d3e4f'] }),
  deleted: Type.Literal(true),
});

const bytes = (description: string, example: number) => Type.Integer({ description, examples: [example] });

export const usageSchema = Type.Object({
  used: bytes('In bytes.', 52_428_800),
  limit: Type.Union([bytes('In bytes.', 1_073_741_824), Type.Null()], { description: 'Null: unlimited.' }),
  available: Type.Union([bytes('In bytes.', 1_021_313_024), Type.Null()], {
    description: 'What is left of it; null: unlimited.',
  }),
  files: Type.Integer({ description: 'How many files there are.', examples: [310] }),
  byType: Type.Record(Type.String(), Type.Object({ files: Type.Integer(), bytes: Type.Integer() }), {
    description: 'The same for each content type.',
    examples: [{ 'image/jpeg': { files: 310, bytes: 52_428_800 } }],
  }),
});
