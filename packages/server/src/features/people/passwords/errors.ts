import { defineError } from '../../../platform/errors.ts';

export const wrongPassword = defineError('wrong_password', () => 'The current password is not right.');
export const weakPassword = defineError(
  'weak_password',
  () => 'This password is among the first that anybody would try. Choose another.',
);
export const signInAgain = defineError(
  'sign_in_again',
  () =>
    'This changes how the account is signed in to. Send the current password, or sign in again and repeat it within 15 minutes.',
);
