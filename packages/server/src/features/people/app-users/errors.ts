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
export const passwordNotChangedHere = defineError(
  'invalid_body',
  () =>
    'A password is changed with POST /auth-collections/change-password {"old_password", "new_password"}. Here `password` is the current one, which a new `email` needs.',
);

export const ownDataTooLarge = defineError(
  'body_too_large',
  (most: number) =>
    `What users keep in their own \`data\` has at most ${most} bytes. With the API key it may have a megabyte.`,
);
