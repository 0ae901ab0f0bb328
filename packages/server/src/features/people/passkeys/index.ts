/** Passkeys: app users who sign in with a key that their device keeps (WebAuthn). */
export { forgetPasskeysOf, hasPasskeys } from './own-passkeys.ts';
export { addPasskeyRoutes } from './routes.ts';
