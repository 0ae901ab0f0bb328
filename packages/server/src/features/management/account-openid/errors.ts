import { defineError } from '../../../platform/errors.ts';

export const noIssuer = defineError(
  'provider_not_found',
  () =>
    'Accounts of this deployment sign in here, not elsewhere. Whoever runs it can name an issuer: ACCOUNT_OIDC_ISSUER and ACCOUNT_OIDC_CLIENT.',
);
export const addressNotVouched = defineError(
  'email_not_verified',
  () =>
    'The issuer does not say that your e-mail address is verified, and without that it is not known whose account you may have. Have it verified there.',
);
export const connectedToAnother = defineError(
  'email_taken',
  () =>
    'The account with your e-mail address belongs to somebody else at the issuer. Sign in as you did before, or ask whoever runs this deployment.',
);
