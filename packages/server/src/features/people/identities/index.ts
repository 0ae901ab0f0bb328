/** Identities: people who sign in at Google, Apple, GitHub or any OpenID Connect provider. */
export { oauthFailed } from './errors.ts';
export { deploymentProvider } from './openid-provider.ts';
export { hasIdentities, unlinkIdentities } from './own-identities.ts';
export { isProviderName, type Provider } from './provider.ts';
export { refusedByProvider, toOAuthFailure } from './provider-failures.ts';
export { checkProviderSettings } from './provider-settings.ts';
export { isAllowedRedirect } from './redirect-uri.ts';
export { addIdentityRoutes } from './routes.ts';
export { type ProvenIdentity, provenIdentity } from './verify-sign-in.ts';
