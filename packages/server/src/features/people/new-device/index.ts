/** New devices: where a user signs in from, and the mail about a sign-in from somewhere new. */
export { noteSignIn } from './new-device.ts';
