import { sha256 } from '../../platform/secrets.ts';
import { type AppUser, emailKey, getUser, limitTries, lockLoginWays, signedIn } from '../app-users/index.ts';
import { canMail, mailNotConfigured } from '../messages/index.ts';
import type { RequestContext } from '../projects/index.ts';
import { alreadyVerified, invalidToken, tooManyMails } from './errors.ts';
import { verificationLink } from './links.ts';
import { mailUser } from './mail-user.ts';
import { newToken } from './secrets.ts';
import type { AuthFlowServices } from './services.ts';
import {
  countRecentTokens,
  findOwner,
  insertToken,
  markVerified,
  removeTokensOf,
  takeToken,
} from './store.ts';

const hours = 24;
const mailsPerHour = 5;

/**
 * Mails a link that verifies the user's address, unless too many were within the hour: then false. Call it in a
 * transaction, after `canMail`.
 */
export async function mailVerification(
  services: AuthFlowServices,
  context: RequestContext,
  user: AppUser,
): Promise<boolean> {
  await lockLoginWays(context.db, user.id);
  if ((await countRecentTokens(context.db, user.id, 'verification')) >= mailsPerHour) return false;
  const token = newToken();
  await insertToken(context.db, {
    hash: sha256(token),
    purpose: 'verification',
    userId: user.id,
    boundTo: emailKey(user.email),
    lastsS: hours * 3600,
  });
  await mailUser(services, context, user, {
    template: 'verification',
    languages: context.from.languages,
    variables: { link: verificationLink(services, context.project, token), hours: String(hours) },
    expiresAt: Date.now() + hours * 3_600_000,
  });
  return true;
}

/** Mails the signed-in user another link. */
export async function sendVerification(services: AuthFlowServices, context: RequestContext): Promise<void> {
  await limitTries(services.users, context, signedIn(context).id);
  if (!(await canMail(services.messages, context.project))) throw mailNotConfigured();
  const user = await getUser(context, signedIn(context).id);
  if (user.email_verified) throw alreadyVerified();
  await context.db.transaction(async (db) => {
    if (!(await mailVerification(services, { ...context, db }, user))) throw tooManyMails();
  });
}

/** Verifies the address that the token was sent to, if it is still the user's. The token is used up. */
export async function verifyEmail(
  services: AuthFlowServices,
  context: RequestContext,
  token: string,
): Promise<void> {
  await limitTries(services.users, context);
  await context.db.transaction(async (db) => {
    const owner = await findOwner(db, sha256(token), 'verification');
    if (owner !== undefined) await lockLoginWays(db, owner);
    const used = await takeToken(db, sha256(token), 'verification');
    if (!used || !(await markVerified(db, used.userId, used.boundTo))) throw invalidToken();
    await removeTokensOf(db, used.userId, 'verification');
  });
}
