/** App users, and the ways in which they sign in. */
export { addAppUserRoutes } from './app-users/index.ts';
export { pageStyle, pageStyleHash } from './hosted-pages/index.ts';
export {
  addIdentityRoutes,
  checkProviderSettings,
  deploymentProvider,
  isProviderName,
  oauthFailed,
  type ProvenIdentity,
  type Provider,
  provenIdentity,
  refusedByProvider,
  toOAuthFailure,
} from './identities/index.ts';
export {
  addMailTemplateRoutes,
  checkTemplate,
  readWhich,
  replaceTemplate,
  restoreTemplate,
  templateBody,
  type Which,
} from './mail-templates/index.ts';
export { listTemplates, renderMail, supportedLanguages } from './mail-texts/index.ts';
export {
  checkMailSettings,
  checkSmsSettings,
  countUnsentMessages,
  postServerMail,
  type ServerMail,
} from './messages/index.ts';
export {
  invalidCode,
  invalidToken,
  newToken,
  passwordMarkOf,
  tooManyCodes,
} from './one-time-secrets/index.ts';
export {
  addPasskeyRoutes,
  challengeIn,
  challengeLastsS,
  checkAssertion,
  checkCreation,
  creationOptions,
  creationOptionsSchema,
  invalidPasskey,
  passkeySchema,
  type RegisterBody,
  type RelyingParty,
  registerBody,
  renameBody,
  requestOptions,
  requestOptionsSchema,
  type SignInBody,
  signInBody,
  tooManyPasskeys,
} from './passkeys/index.ts';
export {
  addPasswordRoutes,
  givenPassword,
  type PasswordHasher,
  password,
  wrongPassword,
} from './passwords/index.ts';
export {
  newAuthenticator,
  newRecoveryCodes,
  readRecoveryCode,
  stepOfCode,
} from './second-step/index.ts';
export { addSessionRoutes, authenticateSession, countTries, type TryLimits } from './sessions/index.ts';
export { addSignInFlowRoutes } from './sign-in-flows/index.ts';
export { Tokens } from './tokens/index.ts';
export { emailKey, readEmail, userScope } from './user-records/index.ts';
