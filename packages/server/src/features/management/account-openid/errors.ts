import { defineError } from '../../../platform/errors.ts';

export const noIssuer = defineError(
  'provider_not_found',
  () =>
    'This deployment has no OpenID Connect issuer for accounts. Whoever runs it can configure one: ACCOUNT_OIDC_ISSUER and ACCOUNT_OIDC_CLIENT.',
);
export const addressNotVouched = defineError(
  'email_not_verified',
  () =>
    'The issuer does not report your email address as verified, so it cannot be matched to an account. Verify it there first.',
);
export const connectedToAnother = defineError(
  'email_taken',
  () =>
    'The account with your email address is connected to someone else at the issuer. Sign in as you did before, or contact whoever runs this deployment.',
);
