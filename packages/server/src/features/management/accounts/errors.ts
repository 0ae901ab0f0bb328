import { defineError } from '../../../platform/errors.ts';

export const wrongSignIn = defineError('invalid_login', () => 'E-mail or password is wrong.');
export const secondStepRequired = defineError(
  'second_step_required',
  () =>
    'This account has a second factor. Send the same again with "code": the six digits of the authenticator app, or a recovery code.',
);
export const signUpClosed = defineError(
  'sign_up_closed',
  () =>
    'Accounts are made by invitation here. Ask whoever runs this deployment for one (plinth account invite), or the owner of a project.',
);
export const accountEmailTaken = defineError(
  'email_taken',
  () => 'There is an account with this e-mail address. Sign in, or ask for a new password.',
);
export const emailNotVerified = defineError(
  'email_not_verified',
  () =>
    'First confirm your e-mail address with the link that was mailed to you. Ask for another: POST /management/account/verification.',
);
export const noAccount = defineError('account_not_found', (email: string) => ({
  message: `There is no account with the address ${email.slice(0, 254)}. Invite it: plinth account invite <e-mail>`,
}));
export const alreadyVerified = defineError(
  'already_verified',
  () => 'The e-mail address of this account is confirmed already.',
);
export const noSession = defineError('session_not_found', (id: string) => ({
  message: `You have no session "${id.slice(0, 50)}". List yours: GET /management/sessions.`,
}));
export const noPersonalToken = defineError('token_not_found', (id: string) => ({
  message: `You have no personal access token "${id.slice(0, 50)}". List yours: GET /management/tokens.`,
}));
export const loginPending = defineError(
  'login_pending',
  () => 'Nobody has approved this login yet, or it has expired: an approval is good for ten minutes, once.',
);
export const tokenForOthers = defineError(
  'session_required',
  () => 'This personal access token is for certain projects: it cannot create others.',
);
export const tooManyTokens = defineError(
  'too_many_tokens',
  (most: number) => `An account has at most ${most} personal access tokens. Revoke one first.`,
);
export const authenticatorInForce = defineError(
  'authenticator_set_up',
  () => 'An authenticator app is in force already. Remove it before you set up another.',
);
export const noAuthenticator = defineError(
  'no_authenticator',
  () => 'This account has no authenticator app. Set one up: POST /management/account/authenticator.',
);
export const noMail = defineError(
  'mail_not_configured',
  () =>
    'This deployment sends no mail. Whoever runs it can give you a link (plinth account invite), or set SMTP_URL and MAIL_FROM.',
);
