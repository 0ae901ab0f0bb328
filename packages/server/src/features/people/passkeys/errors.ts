import { defineError } from '../../../platform/errors.ts';

/** One answer whatever the cause, so that nothing can be learnt by trying; the log says which it was. */
export const invalidPasskey = defineError(
  'invalid_passkey',
  () => 'The passkey was not accepted. Request new options and try again, or sign in another way.',
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
    'Without this passkey, the user can only sign in after resetting the password by email. To delete it anyway, send even_last=true.',
);
export const tooManyPasskeys = defineError(
  'too_many_passkeys',
  (limit: number) => `An account can have at most ${limit} passkeys. Delete one you no longer use.`,
);
export const passkeyDomainUnknown = defineError(
  'passkey_domain_unknown',
  () =>
    'A passkey belongs to a domain, and this request does not say which one. Send it from a page of the app, so that it has an Origin header, or set FRONTEND_URL in the project’s configuration.',
);
export const lastSignInMethod = defineError(
  'last_login_way',
  () =>
    'You could not sign in to this account without this passkey. Set a password or add another passkey first.',
);
