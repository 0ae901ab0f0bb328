/** Resetting a forgotten password: the mail with the link, and the new password. */
export type { ResetPasswordDeps } from './deps.ts';
export { requestPasswordReset, resetTask } from './request-reset.ts';
export { isResetToken, prepareReset, resetPassword } from './reset-password.ts';
export { addResetPasswordRoutes } from './routes.ts';
