import { defineError } from '../../platform/errors.ts';

export const credentialRequired = defineError(
  'credential_required',
  () =>
    'This call needs a credential: the project’s API key as "X-API-Key: plk_…" or, where it is about the signed-in user, a token as "Authorization: Bearer <access_token>".',
);
export const invalidCredentials = defineError(
  'invalid_credentials',
  () =>
    'The API key or token is not valid for this project. Check that it is whole, current, and of this project.',
);
export const noBearer = defineError(
  'invalid_credentials',
  () => 'The Authorization header is not understood. It is written "Authorization: Bearer <access_token>".',
);
export const tokenAsApiKey = defineError(
  'invalid_credentials',
  () => 'X-API-Key holds the token of a user. Send it as "Authorization: Bearer <access_token>".',
);
export const tokenExpired = defineError(
  'token_expired',
  () =>
    'The token has expired. Get a new one with the refresh token, and without this one: POST /auth-collections/refresh {"refresh_token": "plr_…"}. Or sign in again.',
);
export const apiKeyExpired = defineError('api_key_expired', (at: Date) => ({
  message: `This API key has expired at ${at.toISOString()}. Make another one, or give this one more time.`,
  details: { expiresAt: at.toISOString() },
}));
export const addressNotAllowed = defineError('address_not_allowed', (address: string) => ({
  message: `This API key may not be used from ${address}. Call from an address that it allows, or allow this one.`,
  details: { address },
}));
export const keyInBrowser = defineError(
  'key_in_browser',
  () =>
    'This API key came from a browser, where everyone can read it. Let users sign in and send their tokens instead, and replace the key: plinth project regenerate-key <ref>, or remove-key <ref> <id>.',
);
export const twoApiKeys = defineError(
  'invalid_credentials',
  () => 'X-API-Key and Authorization hold two different API keys. Send one.',
);
export const noSuchProject = defineError(
  'project_unknown',
  (ref: string) => `There is no project "${ref.slice(0, 100)}". Check the address: {server}/p/{ref}.`,
);
export const projectUnknown = defineError(
  'project_unknown',
  () =>
    'Nothing says which project this call is for. Use the address {server}/p/{ref}, or send the project’s API key.',
);
export const originNotAllowed = defineError(
  'origin_not_allowed',
  (origin: string) =>
    `The origin "${origin.slice(0, 200)}" is not among the project’s allowed origins. Add it with: plinth project add-origin <ref> <origin>`,
);
export const formFromElsewhere = defineError(
  'origin_not_allowed',
  () =>
    'This form is only taken from the page of this server that shows it. Open the page and send it from there.',
);

/**
 * Whose calls a bucket holds: those of one address, whatever the project, or only its calls for files; of one network, of all anonymous callers, of
 * one user, of both kinds of them (the app); of the whole project.
 */
export type Share = 'address' | 'files' | 'network' | 'anonymous' | 'user' | 'app' | 'project' | 'account';

const whose: Readonly<Record<Share, string>> = {
  address: 'Your address',
  files: 'For files, your address',
  network: 'Your address, in this project,',
  anonymous: 'The anonymous callers of this project together',
  user: 'This user',
  app: 'The users and anonymous callers of this project together',
  project: 'This project',
  account: 'Your account',
};

/** Says whose share is used up. */
export const rateLimited = defineError(
  'rate_limited',
  ({ share, limit }: { share: Share; limit: number }, retryAfterS: number) => ({
    message: `${whose[share]} may make ${limit} calls a minute. Those of this minute are used up: go on in ${retryAfterS} s.`,
    details: { share },
    headers: { 'Retry-After': String(retryAfterS) },
  }),
);
export const apiKeyRequired = defineError(
  'api_key_required',
  () => 'This call is for the project’s server: it needs the API key. A user token is not enough.',
);
export const userRequired = defineError(
  'user_required',
  () =>
    'This call is about the signed-in user: send "Authorization: Bearer <access_token>", beside the API key if you like.',
);

export const asOnlyReads = defineError(
  'invalid_query',
  () =>
    'X-Plinth-As shows what a user, or nobody, may read: documents, users, files. It changes nothing, and has no sign-in of its own.',
);
export const notThroughGateway = defineError(
  'route_not_found',
  () =>
    'There is no such call of a project. Through /management/p/{ref} go the calls of its API, without pages and live connections.',
);
export const noSuchUser = defineError('user_not_found', (id: string) => ({
  message: `The project has no app user "${id.slice(0, 50)}" (X-Plinth-As).`,
}));

export const noWebSocket = defineError(
  'route_not_found',
  () => 'This address does not speak WebSocket. Live connections are made to /realtime.',
);
