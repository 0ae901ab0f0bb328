import { Type } from 'typebox';

export const indexParams = Type.Object({
  collection: Type.String({ description: 'Name or id of the collection.', examples: ['posts'] }),
  id: Type.String({ description: 'Id of the index.' }),
});

const fields = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
  minItems: 1,
  maxItems: 4,
  description: 'Paths, such as `address.city`, with `-` in front for descending.',
  examples: [['status', '-views']],
});

const askedKind = Type.Union([Type.Literal('sort'), Type.Literal('search'), Type.Literal('unique')], {
  description:
    'sort: equality, ranges and order. search: `contains`, `startswith`, `endswith`. unique: no two documents have the same values.',
});

export const newIndexBody = Type.Object(
  { fields, kind: askedKind },
  { additionalProperties: false, examples: [{ kind: 'sort', fields: ['status', '-views'] }] },
);

const nullable = <Schema extends Parameters<typeof Type.Union>[0][number]>(
  schema: Schema,
  ...examples: unknown[]
) => Type.Union([schema, Type.Null()], examples.length === 0 ? {} : { examples });

export const indexSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    kind: Type.String({
      description: '`sort`, `search`, `unique`, or `statistics`, which only the service creates.',
      examples: ['sort'],
    }),
    fields: Type.Array(Type.String(), {
      description: 'The paths it is for.',
      examples: [['status', '-views']],
    }),
    state: Type.Union([Type.Literal('building'), Type.Literal('ready'), Type.Literal('failed')], {
      description: 'It helps once it is `ready`.',
    }),
    progress: nullable(
      Type.Object(
        { done: Type.Integer({ examples: [1200] }), total: Type.Integer({ examples: [5000] }) },
        { description: 'Documents done, while it is being built.' },
      ),
    ),
    failure: nullable(Type.String({ description: 'Why it failed.' }), null),
    automatic: Type.Boolean({ description: 'The service created it automatically.' }),
    reason: nullable(Type.String({ description: 'Why the service created it.' }), null),
    note: nullable(Type.String({ description: 'Further information about it.' }), null),
    bytes: nullable(
      Type.Integer({ description: 'Its size on disk; null if PostgreSQL stores nothing for it.' }),
      81_920,
    ),
    scans: nullable(
      Type.Integer({
        description: 'How often queries have used it, as counted by PostgreSQL since it was created.',
      }),
      1200,
    ),
    usedAt: nullable(
      Type.String({
        format: 'date-time',
        description: 'When a query last used it; null if none did, or PostgreSQL is older than 16.',
      }),
      null,
    ),
    createdAt: Type.String({ format: 'date-time' }),
    readyAt: nullable(Type.String({ format: 'date-time', description: 'When it became ready.' }), null),
  },
  { $id: 'Index', description: 'An index: it keeps some filters and sorts of a collection fast.' },
);

export const indexReference = Type.Unsafe({ $ref: 'Index#' });
