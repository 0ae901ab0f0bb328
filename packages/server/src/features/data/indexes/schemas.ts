import { Type } from 'typebox';

export const indexParams = Type.Object({
  collection: Type.String({ description: 'Name or id of the collection.' }),
  id: Type.String({ description: 'Id of the index.' }),
});

const fields = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
  minItems: 1,
  maxItems: 4,
  description: 'Paths, such as `address.city`, with `-` in front for descending.',
});

const askedKind = Type.Union([Type.Literal('sort'), Type.Literal('search'), Type.Literal('unique')], {
  description:
    'sort: equality, ranges and order. search: `contains`, `startswith`, `endswith`. unique: no two documents have the same values.',
});

export const newIndexBody = Type.Object({ fields, kind: askedKind }, { additionalProperties: false });

const nullable = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);

export const indexSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    kind: Type.String({
      description: 'sort, search, unique, or statistics, which only the service makes.',
    }),
    fields: Type.Array(Type.String()),
    state: Type.Union([Type.Literal('building'), Type.Literal('ready'), Type.Literal('failed')]),
    progress: nullable(
      Type.Object(
        { done: Type.Integer(), total: Type.Integer() },
        { description: 'Documents done, while it is being built.' },
      ),
    ),
    failure: nullable(Type.String({ description: 'Why it failed.' })),
    automatic: Type.Boolean({ description: 'The service made it by itself.' }),
    reason: nullable(Type.String({ description: 'Why the service made it.' })),
    note: nullable(Type.String({ description: 'What else there is to know of it.' })),
    createdAt: Type.String({ format: 'date-time' }),
    readyAt: nullable(Type.String({ format: 'date-time' })),
  },
  { $id: 'Index' },
);

export const indexReference = Type.Unsafe({ $ref: 'Index#' });
