/** App users: the people who use a project's app. */
export {
  findUserByEmail,
  findUserByPhone,
  lockLoginWays,
  lockOwnLoginWays,
  loginOf,
  setPassword,
  setPhone,
} from './account.ts';
export type { AccountFlows } from './account-flows.ts';
export { type AppUser, type Login, projectedUser, userRecord } from './app-user.ts';
export { authenticate, authenticateSession } from './authenticate.ts';
export { signedIn } from './current-user.ts';
export { emailKey, readEmail } from './email.ts';
export { addSigningKey, KeyRing, resealSigningKeys } from './key-ring.ts';
export { limitTries } from './limit-tries.ts';
export { checkLogin } from './log-in.ts';
export { getUser, readLinkedUsers } from './manage-user.ts';
export { requireFreshOrOwner, requireOwner } from './owner.ts';
export { hashPassword } from './passwords.ts';
export { readPhone } from './phone.ts';
export { addPublishedKeys } from './published-keys.ts';
export { addAppUserRoutes } from './routes.ts';
export {
  password,
  profileSchema,
  secondStepSchema,
  signedInSchema,
  userReference,
  userSchema,
} from './schemas.ts';
export type { AppUserServices } from './services.ts';
export { forgetEndedSessions } from './sessions-sweep.ts';
export { repeatSignIn, signIn, startSession } from './sign-in.ts';
export { createUser } from './sign-up.ts';
export { claimedProject, Tokens } from './tokens.ts';
