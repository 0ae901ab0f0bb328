import { patchOperators, queryLimits } from '@plinth/protocol';
import { Type } from 'typebox';
import type { QueryParameter } from '../../../platform/http/openapi.ts';
import type { Fields } from '../records/index.ts';

/** Any object: a document's fields are the caller's. */
export const fieldsBody = Type.Unsafe<Fields>(
  Type.Object({}, { additionalProperties: true, description: 'The document’s fields.' }),
);

const patchDescription = `Fields to replace, and atomic operators: ${patchOperators.join(', ')}, each with an object of fields; $unset also with a list of them. Dotted paths reach into objects.`;
export const patchBody = Type.Unsafe<Fields>(
  Type.Object({}, { additionalProperties: true, description: patchDescription }),
);

export const batchCreateBody = Type.Object(
  { documents: Type.Array(fieldsBody) },
  { additionalProperties: false },
);

export const batchUpdateBody = Type.Object(
  {
    updates: Type.Array(
      Type.Unsafe<Fields & { id: string }>(
        Type.Object({ id: Type.String() }, { additionalProperties: true }),
      ),
    ),
  },
  { additionalProperties: false },
);

export const batchDeleteBody = Type.Object(
  { ids: Type.Array(Type.String()) },
  { additionalProperties: false },
);

export const batchDeletedSchema = Type.Object({
  deleted: Type.Integer(),
  ids: Type.Array(Type.String()),
  missing: Type.Array(Type.String()),
});

export const documentParams = Type.Object({
  collection: Type.String({ description: 'Name or id of the collection.' }),
  id: Type.String({ description: 'Id of the document.' }),
});

export const documentSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    createdAt: Type.String({ format: 'date-time' }),
    updatedAt: Type.String({ format: 'date-time' }),
  },
  {
    $id: 'Document',
    additionalProperties: true,
    description: 'The caller’s fields, and three that the service sets.',
  },
);

export const documentReference = Type.Unsafe({ $ref: 'Document#' });

const select: QueryParameter = {
  name: 'select',
  schema: Type.Array(Type.String(), { description: 'Return only these fields, and id.' }),
};

const populate: QueryParameter = {
  name: 'populate',
  schema: Type.Array(Type.String(), {
    description: 'Put linked records in the place of their ids; dotted for links of links: author.company.',
  }),
};

export const readParameters: QueryParameter[] = [select, populate];

export const explainBody = Type.Object(
  {
    as: Type.Union([Type.String(), Type.Null()], {
      description: 'Id of the app user asked about; null: not signed in.',
    }),
    action: Type.Union([
      Type.Literal('read'),
      Type.Literal('create'),
      Type.Literal('update'),
      Type.Literal('delete'),
    ]),
    id: Type.Optional(Type.String({ description: 'A stored document.' })),
    document: Type.Optional(
      Type.Unsafe<Fields>({
        type: 'object',
        additionalProperties: true,
        description: 'A document that could be, or the changes to the one of id.',
      }),
    ),
    query: Type.Optional(Type.String({ description: 'A list, as its query string.' })),
  },
  { additionalProperties: false },
);

export const explanationSchema = Type.Object({
  allowed: Type.Boolean(),
  reason: Type.String(),
  verdicts: Type.Array(Type.Object({}, { additionalProperties: true })),
});

export const listParameters: QueryParameter[] = [
  {
    name: 'limit',
    schema: Type.Integer({
      default: queryLimits.defaultLimit,
      minimum: 1,
      description: `Documents a page; more than ${queryLimits.maxLimit} is served as ${queryLimits.maxLimit}.`,
    }),
  },
  {
    name: 'offset',
    schema: Type.Integer({
      default: 0,
      minimum: 0,
      maximum: queryLimits.maxOffset,
      description: 'Documents to skip. To go deep, cursor is as fast at any depth.',
    }),
  },
  { name: 'cursor', schema: Type.String({ description: 'nextCursor of the page before.' }) },
  { name: 'orderBy', schema: Type.String({ description: 'Field to sort by; several separated by commas.' }) },
  {
    name: 'order',
    schema: Type.String({ description: 'asc or desc; one for each field of orderBy, or one for all.' }),
  },
  select,
  populate,
  {
    name: 'filters',
    schema: Type.Record(Type.String(), Type.String(), {
      description:
        'Any other parameter is a filter: field=value, field__gt=5, [or]a=1, a__or__b__contains=x. See docs/queries.md.',
    }),
  },
];
