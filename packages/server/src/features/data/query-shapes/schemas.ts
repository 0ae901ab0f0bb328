import { Type } from 'typebox';

const nullable = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);
const kind = Type.String({ description: '`sort` or `search`.', examples: ['sort'] });
const fields = (description: string, ...example: string[]) =>
  Type.Array(Type.String(), { description, examples: [example] });

export const adviceSchema = Type.Object({
  autoIndex: Type.Boolean({ description: 'Whether the service creates indexes automatically.' }),
  documents: Type.Integer({ description: 'The number of documents in the collection.', examples: [52_000] }),
  shapes: Type.Array(
    Type.Object({
      filter: fields('The fields it filters by.', 'status'),
      sort: fields('The fields it sorts by.', '-views'),
      calls: Type.Integer({ description: 'How often it ran.', examples: [310] }),
      p50Ms: nullable(
        Type.Number({ description: 'The median duration of the latest requests.', examples: [48.5] }),
      ),
      documents: Type.Integer({
        description: 'The number of documents in the collection at that time.',
        examples: [52_000],
      }),
      seenAt: Type.String({ format: 'date-time' }),
      suggestion: nullable(
        Type.Object(
          { kind, fields: fields('The paths it would cover.', 'status', '-views') },
          { description: 'The index that would help: POST it to `indexes`.' },
        ),
      ),
      index: nullable(
        Type.Object(
          {
            id: Type.String({ format: 'uuid' }),
            kind,
            state: Type.String({ examples: ['building'] }),
          },
          { description: 'What serves it now.' },
        ),
      ),
      explanation: Type.String({
        description: 'The same in a sentence.',
        examples: ['An index on status and -views would serve this query.'],
      }),
    }),
  ),
});
