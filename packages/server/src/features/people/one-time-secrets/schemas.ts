import { Type } from 'typebox';

export const tokenField = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'From the link that was mailed.',
});
export const codeField = Type.String({ minLength: 1, maxLength: 40 });
export const currentPasswordField = Type.String({
  maxLength: 256,
  description: 'The current password, for users who have one.',
});

export const sentSchema = Type.Object({ sent: Type.Literal(true) });
