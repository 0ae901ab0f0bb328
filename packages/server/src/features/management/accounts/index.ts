/** Accounts: the people who manage projects, how they sign in, and the tokens of their programs. */
export { accountOfVouched } from './account-by-issuer.ts';
export { CachedAccountDirectory } from './account-directory.ts';
export {
  findAccounts,
  findByEmail,
  lockProjectLimit,
  lockProofs,
  projectLimitOf,
  saveProjectLimit,
} from './account-store.ts';
export type { AccountDeps } from './deps.ts';
export { emailNotVerified, tokenForOthers } from './errors.ts';
export { addFactorRoutes } from './factor-routes.ts';
export { accountByEmail, inviteAccount, signInLinkFor } from './invite-account.ts';
export { addLoginRoutes } from './login-routes.ts';
export { AccountMails } from './mails.ts';
export { addAccountRoutes } from './routes.ts';
export { accountAnswer, id, nothing, strict } from './schemas.ts';
export { endSession } from './session-store.ts';
export { startSession } from './sign-in.ts';
export { addTokenRoutes } from './token-routes.ts';
export { useChallenge } from './used-challenge-store.ts';
