/** Identities: app users who sign in at Google, Apple, GitHub or any OpenID Connect provider. */
export { hasIdentities, unlinkIdentities } from './own-identities.ts';
export { isProviderName } from './provider.ts';
export { checkProviderSettings } from './provider-settings.ts';
export { isAllowedRedirect } from './redirect-uri.ts';
export { addIdentityRoutes } from './routes.ts';
