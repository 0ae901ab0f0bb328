import { defineError } from '../../../platform/errors.ts';

export const roleNotAllowed = defineError(
  'role_not_allowed',
  (role: string) =>
    `Users cannot choose the role "${role.slice(0, 100)}" themselves. Your server can assign it with the API key.`,
);
export const operatorAtSignUp = defineError(
  'invalid_operator',
  (name: string) => `"${name.slice(0, 100)}" is an operator, and only PATCH accepts operators.`,
);
export const passwordNotChangedHere = defineError(
  'invalid_body',
  () =>
    'To change the password, use POST /auth-collections/change-password {"old_password", "new_password"}. Here, `password` is the current password, which is required to change `email`.',
);

export const ownDataTooLarge = defineError(
  'body_too_large',
  (most: number) =>
    `Users can store at most ${most} bytes in their own \`data\`. With the API key, the limit is one megabyte.`,
);
