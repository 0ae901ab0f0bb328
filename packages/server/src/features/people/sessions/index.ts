/** Sessions: how they begin, whose they are, how they end. */
export { type Admission, admit, admitSignIn } from './admission.ts';
export { authenticateSession, TokenAuthenticator } from './authenticate.ts';
export type { SessionDeps } from './deps.ts';
export { tooManyTries } from './errors.ts';
export { countTries, limitTries, type TryLimits } from './limit-tries.ts';
export { addSessionRoutes } from './routes.ts';
export { signedInAnswer, signInAnswer } from './schemas.ts';
export { repeatSignIn, requireActive, signIn, signInOf, startSession } from './sign-in.ts';
export { lockOwnSignInMethods, signedIn } from './signed-in.ts';
export { endSessionsOf, findSession } from './store.ts';
