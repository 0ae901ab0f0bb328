import { Type } from 'typebox';

const rule = Type.Literal('locked', {
  description: 'Only the API key. Further rules are not available yet.',
});
const rules = { read: rule, create: rule, update: rule, delete: rule };
const ownerField = Type.Union([Type.String({ minLength: 1, maxLength: 200 }), Type.Null()]);
const hiddenFields = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 100 });

export const collectionParams = Type.Object({
  collection: Type.String({ description: 'Name or id of the collection.' }),
});

export const newCollectionBody = Type.Object({ name: Type.String() }, { additionalProperties: false });

export const collectionChangesBody = Type.Object(
  {
    name: Type.Optional(Type.String()),
    settings: Type.Optional(
      Type.Object(
        {
          rules: Type.Optional(Type.Partial(Type.Object(rules), { additionalProperties: false })),
          ownerField: Type.Optional(ownerField),
          hiddenFields: Type.Optional(hiddenFields),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);

export const collectionSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    name: Type.String(),
    createdAt: Type.String({ format: 'date-time' }),
    updatedAt: Type.String({ format: 'date-time' }),
    documentCount: Type.Integer(),
    settings: Type.Object({ rules: Type.Object(rules), ownerField, hiddenFields }),
  },
  { $id: 'Collection' },
);

export const collectionReference = Type.Unsafe({ $ref: 'Collection#' });

export const deletedSchema = Type.Object({ id: Type.String(), deleted: Type.Literal(true) });
