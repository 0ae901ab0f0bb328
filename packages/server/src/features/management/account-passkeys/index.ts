/** Passkeys of accounts: people who manage projects sign in with a key that their device keeps. */
export { addAccountPasskeyRoutes } from './routes.ts';
