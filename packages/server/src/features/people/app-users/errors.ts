import { defineError } from '../../../platform/errors.ts';

export const roleNotAllowed = defineError(
  'role_not_allowed',
  (role: string) =>
    `The role "${role.slice(0, 100)}" cannot be chosen by users. The project’s server can give it.`,
);
export const operatorAtSignUp = defineError(
  'invalid_operator',
  (name: string) => `"${name.slice(0, 100)}" is an operator, which only PATCH takes.`,
);
