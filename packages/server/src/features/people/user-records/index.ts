/** The records of app users and their secrets: what everything about users stands on. */
export { addUser, createUser, guardUser, type NewUser, newUser } from './create-user.ts';
export {
  clearTotp,
  confirmTotp,
  findCredentials,
  findFactors,
  markEmailVerified,
  saveTotp,
  setSkipsCodes,
  takeTotpStep,
} from './credentials-store.ts';
export { emailKey, readEmail } from './email.ts';
export { userNotFound } from './errors.ts';
export { evenLastParameter, readEvenLast } from './even-last.ts';
export { listAllUsers } from './list-users.ts';
export { readPhone } from './phone.ts';
export { profileReference, profileSchema, userParams, userReference, userSchema } from './schemas.ts';
export {
  authenticatorPlace,
  findPasswordHash,
  findSignInByEmail,
  lockAsProven,
  lockSignInMethods,
  replacePassword,
  savePassword,
} from './secret-store.ts';
export type { UserFlows } from './user-flows.ts';
export { type AppUser, projectedUser, type SignIn, userRecord } from './user-record.ts';
export { userScope } from './user-scope-store.ts';
export {
  countUsers,
  findProfile,
  findUser,
  findUserByPhone,
  findUserOfSession,
  lockUser,
  lockVerifiedEmail,
  removeUser,
  saveUser,
} from './user-store.ts';
export { findUserByEmail, getUser, readLinkedUsers, setPhone } from './users.ts';
