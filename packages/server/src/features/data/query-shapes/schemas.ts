import { Type } from 'typebox';

const nullable = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);
const kind = Type.String({ description: '`sort` or `search`.', examples: ['sort'] });
const fields = (description: string, ...example: string[]) =>
  Type.Array(Type.String(), { description, examples: [example] });

export const adviceSchema = Type.Object({
  autoIndex: Type.Boolean({ description: 'Whether the service makes indexes by itself.' }),
  documents: Type.Integer({ description: 'How many the collection has.', examples: [52_000] }),
  shapes: Type.Array(
    Type.Object({
      filter: fields('The fields that are filtered by.', 'status'),
      sort: fields('The fields that are sorted by.', '-views'),
      calls: Type.Integer({ description: 'How often it was asked.', examples: [310] }),
      p50Ms: nullable(
        Type.Number({ description: 'Half of the latest calls took no longer.', examples: [48.5] }),
      ),
      documents: Type.Integer({ description: 'How many the collection had.', examples: [52_000] }),
      seenAt: Type.String({ format: 'date-time' }),
      suggestion: nullable(
        Type.Object(
          { kind, fields: fields('The paths it would be for.', 'status', '-views') },
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
          { description: 'What there is for it.' },
        ),
      ),
      explanation: Type.String({
        description: 'The same in a sentence.',
        examples: ['An index on status and -views would serve this query.'],
      }),
    }),
  ),
});
