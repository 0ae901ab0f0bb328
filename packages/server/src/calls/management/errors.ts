import { defineError } from '../../platform/errors.ts';

export const accountRequired = defineError(
  'account_required',
  () =>
    'This call is for accounts. Sign in (POST /management/session), or send a personal access token: "Authorization: Bearer plt_…".',
);
export const sessionOver = defineError(
  'account_required',
  () => 'This session has expired or was ended. Sign in again.',
);
export const notAPersonalToken = defineError(
  'account_required',
  () =>
    'Management takes personal access tokens ("Authorization: Bearer plt_…"). API keys and tokens of app users are for the project itself: /p/{ref}/….',
);
export const personalTokenInvalid = defineError(
  'account_required',
  () => 'There is no such personal access token, or it was revoked. Make another: POST /management/tokens.',
);
export const personalTokenExpired = defineError(
  'token_expired',
  () => 'This personal access token has expired. Make another: POST /management/tokens.',
);
export const sessionRequired = defineError(
  'session_required',
  () => 'Personal access tokens cannot do this. Sign in as a person: POST /management/session.',
);
export const tokenMayNotWrite = defineError(
  'token_read_only',
  () => 'This personal access token may only read. Make one that may write: POST /management/tokens.',
);
export const ownerRequired = defineError(
  'owner_required',
  () => 'Only the owner of the project may do this.',
);
export const signInAgain = defineError(
  'sign_in_again',
  () => 'This needs a sign-in of the last 15 minutes. Sign in again, and repeat it.',
);
/** Strangers and those who were removed get one answer: nobody learns which projects there are. */
export const noSuchProject = defineError('project_not_found', (ref: string) => ({
  message: `You have no project "${ref.slice(0, 50)}". List yours: GET /management/projects.`,
  details: { ref: ref.slice(0, 50) },
}));
export const notFromDashboard = defineError(
  'origin_not_allowed',
  () =>
    'Management is for the pages of this service alone. They send "X-Plinth-Dashboard: 1"; programs send a personal access token instead.',
);
export const notFromOwnWindow = defineError(
  'origin_not_allowed',
  () =>
    'This address is for the window of a browser that comes from the dashboard. Open the dashboard, and go on there.',
);
