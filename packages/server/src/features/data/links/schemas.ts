import { Type } from 'typebox';
import { collectionParams } from '../collections/index.ts';

const field = Type.String({
  description: 'Path of the field, such as `author_id` or `meta.author_id`; of app users, inside `data`.',
  examples: ['author_id'],
});

export const linkParams = Type.Object({ field });
export const collectionLinkParams = Type.Object({ ...collectionParams.properties, field });

export const linkSchema = Type.Object({
  field,
  collections: Type.Array(Type.String(), {
    description: 'The collections it was seen to link to.',
    examples: [['authors']],
  }),
  users: Type.Boolean({ description: 'Whether it was seen to link to app users.' }),
  createdAt: Type.String({ format: 'date-time', description: 'When the first link was seen there.' }),
});

export const droppedSchema = Type.Object({ field, deleted: Type.Literal(true) });
