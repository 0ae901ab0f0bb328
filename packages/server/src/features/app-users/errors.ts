import { defineError } from '../../platform/errors.ts';

export const emailTaken = defineError(
  'email_taken',
  () => 'This e-mail address already has an account. Log in, or use another address.',
);
export const invalidLogin = defineError('invalid_login', () => 'E-mail or password is wrong.');
export const wrongPassword = defineError('wrong_password', () => 'The current password is not right.');
export const phoneTaken = defineError(
  'phone_taken',
  () => 'This phone number already signs another account in. Use another number.',
);
export const userNotFound = defineError(
  'user_not_found',
  (id: string) => `There is no app user "${id.slice(0, 100)}".`,
);
export const sessionNotFound = defineError(
  'session_not_found',
  (id: string) => `You have no sign-in "${id.slice(0, 100)}". List them: GET /auth-collections/sessions.`,
);
export const signInAgain = defineError(
  'sign_in_again',
  () =>
    'This changes how the account is signed in to. Send the current password, or sign in again and repeat it within 15 minutes.',
);
export const sessionEnded = defineError(
  'invalid_credentials',
  () => 'This sign-in has ended. Sign in again.',
);
export const userSuspended = defineError(
  'user_suspended',
  () => 'This account is suspended. Ask whoever runs the app.',
);
export const roleNotAllowed = defineError(
  'role_not_allowed',
  (role: string) =>
    `The role "${role.slice(0, 100)}" cannot be chosen by users. The project’s server can give it.`,
);
export const operatorAtSignUp = defineError(
  'invalid_operator',
  (name: string) => `"${name.slice(0, 100)}" is an operator, which only PATCH takes.`,
);
export const tooManyTries = defineError('rate_limited', (retryAfterS: number) => ({
  message: `Too many tries. Go on in ${retryAfterS} s.`,
  headers: { 'Retry-After': String(retryAfterS) },
}));
