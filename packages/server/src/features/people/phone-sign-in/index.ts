/** Signing in with a phone number and a code that was sent to it; setting the number that signs a user in. */
export { checkPhoneSignIn } from './check-phone.ts';
export type { PhoneSignInDeps } from './deps.ts';
export { addPhoneSignInRoutes } from './routes.ts';
export { phoneTask, sendPhoneCode } from './send-phone-code.ts';
