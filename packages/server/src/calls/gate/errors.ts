import { defineError } from '../../platform/errors.ts';

export const credentialRequired = defineError(
  'credential_required',
  () =>
    'This request needs a credential: the project’s API key as "X-API-Key: plk_…" or, on behalf of a signed-in user, a token as "Authorization: Bearer <access_token>".',
);
export const invalidCredentials = defineError(
  'invalid_credentials',
  () =>
    'The API key or token is not valid for this project. Check that it is complete, current, and belongs to this project.',
);
export const noBearer = defineError(
  'invalid_credentials',
  () => 'The Authorization header is malformed. Write it as "Authorization: Bearer <access_token>".',
);
export const tokenAsApiKey = defineError(
  'invalid_credentials',
  () => 'X-API-Key contains a user token. Send it as "Authorization: Bearer <access_token>".',
);
export const tokenExpired = defineError(
  'token_expired',
  () =>
    'The token has expired. Get a new one with the refresh token (and without this token): POST /auth-collections/refresh {"refresh_token": "plr_…"}. Or sign in again.',
);
export const apiKeyExpired = defineError('api_key_expired', (at: Date) => ({
  message: `This API key expired at ${at.toISOString()}. Create another key, or extend this one.`,
  details: { expiresAt: at.toISOString() },
}));
export const addressNotAllowed = defineError('address_not_allowed', (address: string) => ({
  message: `This API key cannot be used from ${address}. Use an address that the key allows, or allow this one.`,
  details: { address },
}));
export const keyInBrowser = defineError(
  'key_in_browser',
  () =>
    'This API key was sent from a browser, where anyone can read it. Let users sign in and send their tokens instead, and replace the key: plinth project regenerate-key <ref>, or remove-key <ref> <id>.',
);
export const twoApiKeys = defineError(
  'invalid_credentials',
  () => 'X-API-Key and Authorization contain two different API keys. Send only one.',
);
export const noSuchProject = defineError(
  'project_unknown',
  (ref: string) => `There is no project "${ref.slice(0, 100)}". Check the address: {server}/p/{ref}.`,
);
export const projectUnknown = defineError(
  'project_unknown',
  () =>
    'The request does not say which project it is for. Use the address {server}/p/{ref}, or send the project’s API key.',
);
export const originNotAllowed = defineError(
  'origin_not_allowed',
  (origin: string) =>
    `The origin "${origin.slice(0, 200)}" is not one of the project’s allowed origins. Add it: plinth project add-origin <ref> <origin>`,
);
export const formFromElsewhere = defineError(
  'origin_not_allowed',
  () =>
    'This form is only accepted from the page of this server that shows it. Open the page and submit the form there.',
);

/**
 * Whose calls a bucket holds: those of one address, whatever the project, or only its calls for files; of one network, of all anonymous callers, of
 * one user, of both kinds of them (the app); of the whole project.
 */
export type Share = 'address' | 'files' | 'network' | 'anonymous' | 'user' | 'app' | 'project' | 'account';

const whose: Readonly<Record<Share, string>> = {
  address: 'Your address',
  files: 'Your address (for files)',
  network: 'Your address (in this project)',
  anonymous: 'All anonymous callers of this project together',
  user: 'This user',
  app: 'All users and anonymous callers of this project together',
  project: 'This project',
  account: 'Your account',
};

/** Says whose share is used up. */
export const rateLimited = defineError(
  'rate_limited',
  ({ share, limit }: { share: Share; limit: number }, retryAfterS: number) => ({
    message: `Rate limit reached. ${whose[share]} can make ${limit} requests per minute. Retry in ${retryAfterS} s.`,
    details: { share },
    headers: { 'Retry-After': String(retryAfterS) },
  }),
);
export const apiKeyRequired = defineError(
  'api_key_required',
  () => 'This endpoint is for your server: it needs the project’s API key. A user token is not enough.',
);
export const userRequired = defineError(
  'user_required',
  () =>
    'This endpoint is about the signed-in user: send "Authorization: Bearer <access_token>", optionally in addition to the API key.',
);

export const asOnlyReads = defineError(
  'invalid_query',
  () =>
    'X-Plinth-As shows which documents, users and files a user, or an anonymous caller, can read. It cannot be used to change anything, and has no session of its own.',
);
export const notThroughGateway = defineError(
  'route_not_found',
  () =>
    'There is no such endpoint. /management/p/{ref} gives access to the API of the project, except for pages and live connections.',
);
export const noSuchUser = defineError('user_not_found', (id: string) => ({
  message: `The project has no app user "${id.slice(0, 50)}" (X-Plinth-As).`,
}));

export const noWebSocket = defineError(
  'route_not_found',
  () => 'This address does not support WebSocket. Connect to /realtime instead.',
);
