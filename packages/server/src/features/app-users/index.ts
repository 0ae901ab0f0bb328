/** App users: the people who use a project's app. */
export { projectedUser } from './app-user.ts';
export { authenticate } from './authenticate.ts';
export { addSigningKey, KeyRing } from './key-ring.ts';
export { getUser, readLinkedUsers } from './manage-user.ts';
export { addAppUserRoutes } from './routes.ts';
export { profileSchema, userSchema } from './schemas.ts';
export { forgetEndedSessions } from './sessions-sweep.ts';
export { claimedProject, Tokens } from './tokens.ts';
