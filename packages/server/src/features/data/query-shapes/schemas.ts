import { Type } from 'typebox';

const nullable = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);

export const adviceSchema = Type.Object({
  autoIndex: Type.Boolean({ description: 'Whether the service makes indexes by itself.' }),
  documents: Type.Integer(),
  shapes: Type.Array(
    Type.Object({
      filter: Type.Array(Type.String(), { description: 'The fields that are filtered by.' }),
      sort: Type.Array(Type.String()),
      calls: Type.Integer(),
      p50Ms: nullable(Type.Number({ description: 'Half of the latest calls took no longer.' })),
      documents: Type.Integer({ description: 'How many the collection had.' }),
      seenAt: Type.String({ format: 'date-time' }),
      suggestion: nullable(Type.Object({ kind: Type.String(), fields: Type.Array(Type.String()) })),
      index: nullable(
        Type.Object(
          { id: Type.String({ format: 'uuid' }), kind: Type.String(), state: Type.String() },
          { description: 'What there is for it.' },
        ),
      ),
      explanation: Type.String(),
    }),
  ),
});
