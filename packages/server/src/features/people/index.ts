/** App users, and the ways in which they sign in. */
export { addAppUserRoutes } from './app-users/index.ts';
export { addIdentityRoutes } from './identities/index.ts';
export { addMailTemplateRoutes } from './mail-templates/index.ts';
export { addPasskeyRoutes } from './passkeys/index.ts';
export { addPasswordRoutes } from './passwords/index.ts';
export { addSessionRoutes, authenticateSession } from './sessions/index.ts';
export { addSignInFlowRoutes } from './sign-in-flows/index.ts';
export { Tokens } from './tokens/index.ts';
export { userScope } from './user-records/index.ts';
