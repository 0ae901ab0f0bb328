/** OpenID Connect for accounts: people who manage projects sign in at an issuer that the deployment trusts. */
export { accountIssuer } from './account-issuer.ts';
export { addOpenIdRoutes } from './routes.ts';
