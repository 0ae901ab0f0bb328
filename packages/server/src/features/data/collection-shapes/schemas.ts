import { Type } from 'typebox';

const part = (description: string) => Type.Number({ minimum: 0, maximum: 1, description, examples: [1] });
const scalars = (description: string) =>
  Type.Array(Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
    description,
    examples: [['draft', 'published']],
  });

const fieldShape = Type.Object({
  path: Type.String({
    description: 'As in a query; `[]` stands for the elements of an array: `lines[].sku`.',
    examples: ['status'],
  }),
  count: Type.Integer({ description: 'How many values of it were seen.', examples: [42] }),
  share: part(
    'The share of the documents, or of the objects that contain it, that have it. For elements it is 1.',
  ),
  types: Type.Record(Type.String(), Type.Number(), {
    description:
      'The share of its values of each type: `string`, `number`, `boolean`, `null`, `object`, `array`.',
    examples: [{ string: 1 }],
  }),
  examples: scalars('Some of its values, if they are short, and neither objects nor arrays.'),
  values: Type.Optional(scalars('All of its values that were seen, if they are few.')),
  links: Type.Optional(
    Type.Array(Type.String(), {
      description: 'The collections that it was seen to link to; `@user` stands for app users.',
      examples: [],
    }),
  ),
});

export const shapeSchema = Type.Object({
  sampled: Type.Integer({ description: 'How many documents were looked at.', examples: [42] }),
  isComplete: Type.Boolean({ description: 'Whether these are all there are.' }),
  fields: Type.Array(fieldShape, { description: 'In the order in which documents have them.' }),
  hasMore: Type.Boolean({
    description: 'Whether there are more fields than are listed.',
    examples: [false],
  }),
});

export const mismatchSchema = Type.Object({
  id: Type.String({
    format: 'uuid',
    description: 'The document that does not match.',
    examples: ['019a8c5e-7f00-8000-8000-5b6c7d8e9f0a'],
  }),
  path: Type.String({
    description: 'The path of the first value that does not match; empty for the document itself.',
    examples: ['price'],
  }),
  problem: Type.String({ description: 'What is wrong with that value.', examples: ['must be number'] }),
});
