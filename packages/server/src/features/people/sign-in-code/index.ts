/** The code that an app trades for the token of a user who signed in on a hosted page. */
export { addSignInCodeRoutes } from './routes.ts';
export { issueSignInCode } from './sign-in-code.ts';
