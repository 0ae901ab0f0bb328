import { defineError } from '../../platform/errors.ts';

export const accountRequired = defineError(
  'account_required',
  () =>
    'This endpoint is for accounts. Sign in (POST /management/session), or send a personal access token: "Authorization: Bearer plt_…".',
);
export const sessionOver = defineError(
  'account_required',
  () => 'This session has expired or was revoked. Sign in again.',
);
export const notAPersonalToken = defineError(
  'account_required',
  () =>
    'The management API accepts personal access tokens ("Authorization: Bearer plt_…"). API keys and tokens of app users are for the project itself: /p/{ref}/….',
);
export const personalTokenInvalid = defineError(
  'account_required',
  () =>
    'This personal access token does not exist or was revoked. Create another one: POST /management/tokens.',
);
export const personalTokenExpired = defineError(
  'token_expired',
  () => 'This personal access token has expired. Create another one: POST /management/tokens.',
);
export const sessionRequired = defineError(
  'session_required',
  () => 'Personal access tokens cannot do this. Sign in to your account: POST /management/session.',
);
export const tokenMayNotWrite = defineError(
  'token_read_only',
  () => 'This personal access token is read-only. Create one that can write: POST /management/tokens.',
);
export const ownerRequired = defineError(
  'owner_required',
  () => 'Only the owner of the project can do this.',
);
export const signInAgain = defineError(
  'sign_in_again',
  () => 'This requires a sign-in within the last 15 minutes. Sign in again and retry.',
);
/** Strangers and those who were removed get one answer: nobody learns which projects there are. */
export const noSuchProject = defineError('project_not_found', (ref: string) => ({
  message: `You have no project "${ref.slice(0, 50)}". List yours: GET /management/projects.`,
  details: { ref: ref.slice(0, 50) },
}));
export const notFromDashboard = defineError(
  'origin_not_allowed',
  () =>
    'With a session cookie, the management API is only for the pages of this service, which send "X-Plinth-Dashboard: 1". Programs send a personal access token instead.',
);
export const notFromOwnWindow = defineError(
  'origin_not_allowed',
  () =>
    'This address can only be opened from the dashboard in a browser. Open the dashboard and continue there.',
);
