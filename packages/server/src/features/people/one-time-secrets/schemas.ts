import { Type } from 'typebox';

export const tokenField = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'From the emailed link.',
  examples: ['q7XfJm2bW0uT5nC8'],
});
export const codeField = Type.String({
  minLength: 1,
  maxLength: 40,
  description: 'The one-time code.',
  examples: ['493027'],
});
export const currentPasswordField = Type.String({
  maxLength: 256,
  description: 'The current password, for users who have one.',
  examples: ['correct horse'],
});

export const sentSchema = Type.Object({ sent: Type.Literal(true) });
