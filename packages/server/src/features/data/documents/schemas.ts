import { patchOperators, queryLimits } from '@plinth/protocol';
import { Type } from 'typebox';
import type { QueryParameter } from '../../../calls/index.ts';
import { collectionReference } from '../collections/index.ts';
import type { Fields } from '../records/index.ts';

const documentFields = { title: 'Hello', status: 'draft', tags: ['news'], views: 0 };
const documentId = '019a8c5e-7f00-8000-8123-4a5b6c7d8e9f';

/** Any object: a document's fields are the caller's. */
export const fieldsBody = Type.Unsafe<Fields>(
  Type.Object(
    {},
    {
      additionalProperties: true,
      description:
        'The document’s fields. `createdAt` and `updatedAt` are ignored: the service sets them. So is `id`, unless it is a new id of this collection that the client generated.',
      examples: [documentFields],
    },
  ),
);

const operators = patchOperators.map((name) => `\`${name}\``).join(', ');
const patchDescription = `Fields to replace, and atomic operators: ${operators}, each with an object of fields; \`$unset\` also with a list of them. Dotted paths reach into objects.`;
export const patchBody = Type.Unsafe<Fields>(
  Type.Object(
    {},
    {
      additionalProperties: true,
      description: patchDescription,
      examples: [{ status: 'published', $increment: { views: 1 }, $addUnique: { tags: 'featured' } }],
    },
  ),
);

/** A document write with files: the same fields as JSON text, and a part for each file. */
export const documentForm = Type.Object(
  {
    data: Type.Optional(
      Type.String({
        contentMediaType: 'application/json',
        description: 'The fields, as JSON text.',
        examples: ['{"title": "Hello"}'],
      }),
    ),
    cover: Type.Optional(
      Type.Unsafe<string>({
        type: 'string',
        format: 'binary',
        description:
          'A file: the field of this name gets its URL. Any name will do; several parts of one name make an array, and `$append.photos` adds to one.',
        examples: ['@cover.jpg'],
      }),
    ),
  },
  { additionalProperties: Type.Unsafe({ type: 'string', format: 'binary' }) },
);

export const batchCreateBody = Type.Object(
  { documents: Type.Array(fieldsBody, { description: 'At most 1,000.' }) },
  {
    additionalProperties: false,
    examples: [{ documents: [{ title: 'One' }, { title: 'Two', tags: ['news'] }] }],
  },
);

export const batchUpdateBody = Type.Object(
  {
    updates: Type.Array(
      Type.Unsafe<Fields & { id: string }>(
        Type.Object(
          { id: Type.String({ description: 'The document to change.' }) },
          { additionalProperties: true, description: 'What to change of it, as in a PATCH.' },
        ),
      ),
      { description: 'At most 1,000.' },
    ),
  },
  {
    additionalProperties: false,
    examples: [{ updates: [{ id: documentId, status: 'published', $increment: { views: 1 } }] }],
  },
);

export const batchDeleteBody = Type.Object(
  { ids: Type.Array(Type.String(), { description: 'At most 1,000.' }) },
  { additionalProperties: false, examples: [{ ids: [documentId] }] },
);

export const batchDeletedSchema = Type.Object({
  deleted: Type.Integer({ description: 'How many were deleted.', examples: [1] }),
  ids: Type.Array(Type.String(), {
    description: 'The ids of the deleted documents.',
    examples: [[documentId]],
  }),
  missing: Type.Array(Type.String(), { description: 'Ids that no document had.', examples: [[]] }),
});

export const documentParams = Type.Object({
  collection: Type.String({ description: 'Name or id of the collection.', examples: ['posts'] }),
  id: Type.String({ description: 'Id of the document.', examples: [documentId] }),
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
    examples: [
      {
        id: documentId,
        createdAt: '2026-11-16T09:30:00.000Z',
        updatedAt: '2026-11-16T09:30:00.000Z',
        ...documentFields,
      },
    ],
  },
);

export const documentReference = Type.Unsafe({ $ref: 'Document#' });

/** The collection beside its documents: all of its record is for the API key. */
export const listedCollection = Type.Union([
  collectionReference,
  Type.Object({
    id: Type.String({ format: 'uuid' }),
    name: Type.String({ examples: ['posts'] }),
    number: Type.Integer({ description: 'Ids of its documents carry it.', examples: [1] }),
  }),
]);

const select: QueryParameter = {
  name: 'select',
  schema: Type.Array(Type.String(), {
    description: 'Return only these fields, and `id`. Repeat it for several.',
  }),
};

const populate: QueryParameter = {
  name: 'populate',
  schema: Type.Array(Type.String(), {
    description:
      'Replace ids with the linked records; dotted for links of links: `author.company`. Repeat it for several.',
  }),
};

export const readParameters: QueryParameter[] = [select, populate];

export const queryBody = Type.String({
  description: 'The query string of a list.',
  examples: ['status=published&orderBy=-createdAt'],
});

const anyFields = (description: string) =>
  Type.Unsafe<Fields>({ type: 'object', additionalProperties: true, description });

const madeUpUser = Type.Partial(
  Type.Object({
    id: Type.String({ maxLength: 200 }),
    role: Type.String({ maxLength: 200 }),
    email: Type.String({ maxLength: 254 }),
    email_verified: Type.Boolean(),
    data: anyFields('Fields set by the user.'),
    claims: anyFields('Fields set by your server.'),
  }),
  { additionalProperties: false },
);

export const explainBody = Type.Object(
  {
    as: Type.Union([Type.String(), Type.Null(), madeUpUser], {
      description: 'Id of the app user in question; null: not signed in; an object: a hypothetical user.',
    }),
    action: Type.Union(
      [Type.Literal('read'), Type.Literal('create'), Type.Literal('update'), Type.Literal('delete')],
      { description: 'What the user would do.' },
    ),
    id: Type.Optional(Type.String({ description: 'A stored document.' })),
    document: Type.Optional(
      Type.Unsafe<Fields>({
        type: 'object',
        additionalProperties: true,
        description: 'A hypothetical document, or the changes to the one with `id`.',
      }),
    ),
    changes: Type.Optional(anyFields('What an update would change in `document`, if there is no `id`.')),
    query: Type.Optional(Type.String({ description: 'A list, as its query string.' })),
  },
  {
    additionalProperties: false,
    examples: [{ as: null, action: 'create', document: { title: 'Hello' } }],
  },
);

const verdict = Type.Object({
  action: Type.String({ examples: ['create'] }),
  field: Type.Optional(Type.String({ description: 'The field whose own rule it is.', examples: [] })),
  rule: Type.String({ description: 'As it is saved.', examples: ['locked'] }),
  allowed: Type.Boolean(),
  reason: Type.String({ examples: ['It is locked: only the API key has access.'] }),
  conditions: Type.Array(
    Type.Object({
      condition: Type.String({ examples: ['author_id=@user.id'] }),
      passed: Type.Boolean(),
      found: Type.Optional(Type.Unknown({ description: 'What the document, or the caller, has there.' })),
      comparedWith: Type.Unknown({ description: 'Null if the caller has no such value.' }),
    }),
    { description: 'Each condition of the rule, and whether it held.', examples: [[]] },
  ),
});

export const explanationSchema = Type.Object({
  allowed: Type.Boolean({ description: 'Whether the request would be allowed.' }),
  reason: Type.String({
    description: 'What decided it, in a sentence.',
    examples: ['rules.create: It is locked: only the API key has access.'],
  }),
  verdicts: Type.Array(verdict, { description: 'The result of each rule that was evaluated.' }),
});

export const listParameters: QueryParameter[] = [
  {
    name: 'limit',
    schema: Type.Integer({
      default: queryLimits.defaultLimit,
      minimum: 1,
      description: `Documents per page; more than ${queryLimits.maxLimit} is treated as ${queryLimits.maxLimit}.`,
    }),
  },
  {
    name: 'offset',
    schema: Type.Integer({
      default: 0,
      minimum: 0,
      maximum: queryLimits.maxOffset,
      description:
        'Documents to skip. For pages far into a list, use `cursor`: it is equally fast at any depth.',
    }),
  },
  { name: 'cursor', schema: Type.String({ description: '`nextCursor` of the previous page.' }) },
  {
    name: 'orderBy',
    schema: Type.String({
      description: 'Field to sort by; several separated by commas. Without it the newest come first.',
    }),
  },
  {
    name: 'order',
    schema: Type.String({ description: '`asc` or `desc`; one for each field of `orderBy`, or one for all.' }),
  },
  select,
  populate,
  {
    name: 'filters',
    schema: Type.Record(Type.String(), Type.String(), {
      description:
        'Any other parameter is a filter: `status=published`, `views__gt=5`, `[or]a=1`, `title__or__text__contains=x`, `author.role=editor`.',
      examples: [{ status: 'published' }],
    }),
  },
];

export const backlinkParameters: QueryParameter[] = [
  {
    name: 'limit',
    schema: Type.Integer({
      default: 20,
      minimum: 1,
      description: 'Fields per page; more than 20 is treated as 20.',
    }),
  },
  { name: 'offset', schema: Type.Integer({ default: 0, minimum: 0, description: 'Fields to skip.' }) },
];

export const backlinkSchema = Type.Object({
  collection: Type.String({ description: 'The collection of the documents that link.', examples: ['posts'] }),
  field: Type.String({ description: 'The field in which they hold the id.', examples: ['author_id'] }),
  query: Type.String({
    description: 'Lists them: `GET /collections/{collection}?{query}`.',
    examples: [`author_id=${documentId}`],
  }),
  total: Type.Union([Type.Integer(), Type.Null()], {
    description: 'How many there are; null if it would take too long to count them.',
    examples: [3],
  }),
  totalIsFloor: Type.Boolean({
    description: 'There are more than `total`: counting stopped there.',
    examples: [false],
  }),
});
