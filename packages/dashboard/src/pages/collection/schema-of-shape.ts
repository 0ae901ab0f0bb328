import type { CollectionShape, FieldShape } from '@plinth/protocol';

/** What somebody without documents begins with. */
export const exampleSchema = {
  type: 'object',
  required: ['title'],
  properties: {
    title: { type: 'string', maxLength: 200 },
    status: { enum: ['draft', 'published'] },
    views: { type: 'integer', minimum: 0 },
  },
};

const mostValues = 8;
const fewestDocuments = 10;

/** A schema that documents fit as they are now: their outer fields, with types, and whether all have them. */
export function schemaOf({ fields, sampled }: CollectionShape): Readonly<Record<string, unknown>> {
  const outer = fields.filter(({ path }) => !/\.|\[\]/.test(path) && !ownFields.has(path));
  const required = outer.filter(({ share }) => share === 1).map(({ path }) => path);
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(outer.map((field) => [field.path, propertyOf(field, sampled)])),
  };
}

const ownFields = new Set(['id', 'createdAt', 'updatedAt']);

function propertyOf({ types, values, links }: FieldShape, sampled: number) {
  const names = Object.keys(types);
  const type = names.length === 1 ? names[0] : names;
  // A few values among many documents are probably all that are meant.
  const isChoice = values && !links && values.length <= mostValues && sampled >= fewestDocuments;
  return isChoice && names.length === 1 && names[0] === 'string' ? { type, enum: values } : { type };
}
