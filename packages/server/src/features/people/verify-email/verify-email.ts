import type { Project, RequestContext } from '../../../calls/index.ts';
import { configOf } from '../../control/index.ts';
import { canMail, mailNotConfigured, mailUser } from '../messages/index.ts';
import {
  countRecentTokens,
  findTokenOwner,
  invalidToken,
  keepToken,
  linkWithToken,
  newToken,
  removeTokensOf,
  takeToken,
} from '../one-time-secrets/index.ts';
import { limitTries, signedIn } from '../sessions/index.ts';
import {
  type AppUser,
  emailKey,
  getUser,
  lockSignInMethods,
  markEmailVerified,
} from '../user-records/index.ts';
import type { VerificationMailDeps, VerifyEmailDeps } from './deps.ts';
import { alreadyVerified, tooManyMails } from './errors.ts';

const hours = 24;
const mailsPerHour = 5;

/** Mails a link that verifies the user's address. False: too many were sent within the hour. Call it in a transaction, after `canMail`. */
export async function mailVerification(
  deps: VerificationMailDeps,
  context: RequestContext,
  user: AppUser,
): Promise<boolean> {
  await lockSignInMethods(context.db, user.id);
  if ((await countRecentTokens(context.db, user.id, 'verification')) >= mailsPerHour) return false;
  const token = newToken();
  await keepToken(context.db, {
    token,
    purpose: 'verification',
    userId: user.id,
    boundTo: emailKey(user.email),
    lastsS: hours * 3600,
  });
  await mailUser(deps.messages, context, user, {
    template: 'verification',
    languages: context.from.languages,
    variables: { link: linkWithToken(pageOf(deps, context.project), token), hours: String(hours) },
    expiresAt: Date.now() + hours * 3_600_000,
  });
  return true;
}

/** Where the link leads: to the project's own page, else to its frontend, else to our page. */
function pageOf({ pagesOf }: VerificationMailDeps, project: Project): string {
  const { VERIFICATION_URL, FRONTEND_URL } = configOf(project);
  return VERIFICATION_URL ?? FRONTEND_URL ?? `${pagesOf(project)}/verify-email`;
}

/** Mails the signed-in user another link. */
export async function sendVerification(deps: VerifyEmailDeps, context: RequestContext): Promise<void> {
  await limitTries(deps.users, context, signedIn(context).id);
  if (!(await canMail(deps.messages, context.project))) throw mailNotConfigured();
  const user = await getUser(context, signedIn(context).id);
  if (user.email_verified) throw alreadyVerified();
  await context.db.transaction(async (db) => {
    if (!(await mailVerification(deps, { ...context, db }, user))) throw tooManyMails();
  });
}

/** Verifies the address that the token was sent to, if it is still the user's. The token is used up. */
export async function verifyEmail(
  deps: VerifyEmailDeps,
  context: RequestContext,
  token: string,
): Promise<void> {
  await limitTries(deps.users, context);
  await context.db.transaction(async (db) => {
    const owner = await findTokenOwner(db, token, 'verification');
    if (owner !== undefined) await lockSignInMethods(db, owner);
    const used = await takeToken(db, token, 'verification');
    if (!used || !(await markEmailVerified(db, used.userId, used.boundTo))) throw invalidToken();
    await removeTokensOf(db, used.userId, 'verification');
  });
}
