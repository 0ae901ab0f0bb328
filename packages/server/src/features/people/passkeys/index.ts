/** Passkeys: people who sign in with a key that their device keeps (WebAuthn). */
export { challengeIn, challengeLastsS } from './challenges.ts';
export { invalidPasskey, tooManyPasskeys } from './errors.ts';
export { forgetPasskeysOf, hasPasskeys } from './own-passkeys.ts';
export type { RelyingParty } from './relying-party.ts';
export { addPasskeyRoutes } from './routes.ts';
export {
  creationOptionsSchema,
  passkeySchema,
  type RegisterBody,
  registerBody,
  renameBody,
  requestOptionsSchema,
  type SignInBody,
  signInBody,
} from './schemas.ts';
export { checkAssertion, checkCreation, creationOptions, requestOptions } from './webauthn.ts';
