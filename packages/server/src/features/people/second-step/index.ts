/** The second step of a sign-in: a mailed code, a code of an authenticator app, or a recovery code. */
export type { ChallengeDeps, SecondStepDeps } from './deps.ts';
export { forgetSecondStep, removeAuthenticator } from './own-authenticator.ts';
export { newRecoveryCodes, readRecoveryCode } from './recovery-codes.ts';
export { addSecondStepRoutes } from './routes.ts';
export {
  beginSecondStep,
  challengeAnswer,
  completeSecondStep,
  isEnough,
  neededStep,
  resendCode,
} from './second-step.ts';
export { newAuthenticator, stepOfCode } from './totp.ts';
