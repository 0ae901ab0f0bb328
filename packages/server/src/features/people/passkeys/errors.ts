import { defineError } from '../../../platform/errors.ts';

/** One answer whatever the cause, so that nothing can be learnt by trying; the log says which it was. */
export const invalidPasskey = defineError(
  'invalid_passkey',
  () => 'The passkey was not accepted. Ask for new options and try again, or sign in another way.',
);
export const passkeyNotFound = defineError(
  'passkey_not_found',
  (id: string) => `You have no passkey "${id.slice(0, 100)}". List them: GET /auth-collections/passkeys.`,
);
export const noSuchPasskey = defineError(
  'passkey_not_found',
  (id: string) =>
    `The user has no passkey "${id.slice(0, 100)}". List them: GET /auth-collections/users/{id}/passkeys.`,
);
export const lastMethodOfUser = defineError(
  'last_login_way',
  () =>
    'Without this passkey the user could sign in only after a reset of the password by mail. If that is meant, send even_last=true.',
);
export const tooManyPasskeys = defineError(
  'too_many_passkeys',
  (limit: number) => `An account has at most ${limit} passkeys. Delete one that is not used any more.`,
);
export const passkeyDomainUnknown = defineError(
  'passkey_domain_unknown',
  () =>
    'A passkey belongs to a domain, and nothing says which. Call from a page of the app, which sends its Origin, or set FRONTEND_URL in the project’s configuration.',
);
export const lastSignInMethod = defineError(
  'last_login_way',
  () =>
    'Without this passkey nobody could log in to this account. Set a password or add another passkey first.',
);
