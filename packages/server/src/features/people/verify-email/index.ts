/** Verifying an e-mail address: the mail with the link, and the calls around it. */
export type { VerificationMailDeps, VerifyEmailDeps } from './deps.ts';
export { addVerifyEmailRoutes } from './routes.ts';
export { mailVerification, verifyEmail } from './verify-email.ts';
