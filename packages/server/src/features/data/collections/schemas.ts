import { Type } from 'typebox';

const rule = Type.String({
  maxLength: 4096,
  description:
    '`locked` (the API key only), `public`, `users` (anyone signed in), `owner`, or conditions: `[or]status=published&[or]author_id=@user.id`.',
  examples: ['users'],
});
const rules = { read: rule, create: rule, update: rule, delete: rule };
const fieldName = Type.String({ minLength: 1, maxLength: 200 });
// Neither a field of the service's own nor one that no document can have.
const ownerName = '^(?!(?:id|createdAt|updatedAt|__proto__|constructor|prototype)$)[^.$][^.]{0,199}$';
const ownerField = Type.Union([Type.String({ pattern: ownerName }), Type.Null()], {
  description:
    'The field that contains the owner’s id; the service sets it when an app user creates a document.',
  examples: ['author_id'],
});
const hiddenFields = Type.Array(fieldName, {
  maxItems: 100,
  description: 'Fields that only the API key can see and write; dotted for nested fields.',
  examples: [['internal_notes']],
});
const fieldRules = Type.Record(
  fieldName,
  Type.Partial(Type.Object({ create: rule, update: rule }), { additionalProperties: false }),
  {
    maxProperties: 100,
    description:
      'Rules of single fields, by dotted path: `{"likes": {"update": "users"}}`. On update, they replace the document’s rules for the field; on create, they apply in addition. Actions without a rule are locked.',
    examples: [{ likes: { update: 'users' } }],
  },
);
const autoIndex = Type.Boolean({
  description: 'Whether the service creates indexes for slow queries automatically; true by default.',
});
const schema = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  description: 'JSON Schema (2020-12) that every write must match.',
  examples: [{ type: 'object', required: ['title'], properties: { title: { type: 'string' } } }],
});

export const collectionParams = Type.Object({
  collection: Type.String({ description: 'Name or id of the collection.', examples: ['posts'] }),
});

const name = Type.String({
  description: 'A letter, then up to 62 letters, digits, `_` and `-`. Unique in the project.',
  examples: ['posts'],
});

export const settingsBody = Type.Object(
  {
    rules: Type.Optional(Type.Partial(Type.Object(rules), { additionalProperties: false })),
    ownerField: Type.Optional(ownerField),
    hiddenFields: Type.Optional(hiddenFields),
    fieldRules: Type.Optional(fieldRules),
    autoIndex: Type.Optional(autoIndex),
    schema: Type.Optional(Type.Union([schema, Type.Null()])),
  },
  { additionalProperties: false },
);

export const newCollectionBody = Type.Object(
  { name, settings: Type.Optional(settingsBody) },
  {
    additionalProperties: false,
    examples: [
      {
        name: 'posts',
        settings: {
          rules: { read: 'public', create: 'users', update: 'owner', delete: 'owner' },
          ownerField: 'author_id',
        },
      },
    ],
  },
);

export const collectionChangesBody = Type.Object(
  { name: Type.Optional(name), settings: Type.Optional(settingsBody) },
  {
    additionalProperties: false,
    examples: [{ settings: { rules: { read: '[or]status=published&[or]author_id=@user.id' } } }],
  },
);

export const collectionSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    name,
    number: Type.Integer({
      description:
        'Ids of its documents carry it: the hexadecimal digits 14 to 16 and, shifted by two bits, 17 to 20.',
      examples: [1],
    }),
    createdAt: Type.String({ format: 'date-time' }),
    updatedAt: Type.String({ format: 'date-time' }),
    documentCount: Type.Integer({ description: 'How many documents it has.', examples: [42] }),
    settings: Type.Object({
      rules: Type.Object(rules),
      ownerField,
      hiddenFields,
      fieldRules: Type.Optional(fieldRules),
      autoIndex: Type.Optional(autoIndex),
      schema: Type.Optional(schema),
    }),
  },
  { $id: 'Collection', description: 'A named set of documents, with its settings.' },
);

export const collectionReference = Type.Unsafe({ $ref: 'Collection#' });

export const deletedSchema = Type.Object({
  id: Type.String({
    description: 'The id of what was deleted.',
    examples: ['019a8c5e-7f00-8000-8123-4a5b6c7d8e9f'],
  }),
  deleted: Type.Literal(true),
});
