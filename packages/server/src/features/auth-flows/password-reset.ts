import { addJob } from '../../platform/jobs/add-job.ts';
import { sha256 } from '../../platform/secrets.ts';
import {
  emailKey,
  findUserByEmail,
  hashPassword,
  limitTries,
  lockLoginWays,
  setPassword,
  setPhone,
} from '../app-users/index.ts';
import { canMail, type MessageContext, mailNotConfigured } from '../messages/index.ts';
import type { RequestContext } from '../projects/index.ts';
import { invalidToken } from './errors.ts';
import { removeTotp, setSkipsCodes } from './factor-store.ts';
import { resetLink } from './links.ts';
import { mailUser } from './mail-user.ts';
import { newToken } from './secrets.ts';
import type { AuthFlowServices } from './services.ts';
import { countRecentTokens, findOwner, insertToken, markVerified, takeToken } from './store.ts';

const minutes = 60;
const mailsPerHour = 5;

/** What the job of a forgotten password knows, sealed. */
export interface ForgottenPassword {
  readonly email: string;
  readonly token: string;
  readonly languages: string;
}

export const forgottenPlace = (projectId: string) => `forgotten password of project ${projectId}`;

/**
 * Notes that somebody has forgotten the password of an address. Whether there is such an account is looked up later, by a
 * job: the call does the same, and takes the same time, for any address.
 */
export async function requestPasswordReset(
  services: AuthFlowServices,
  context: RequestContext,
  email: string,
): Promise<void> {
  await limitTries(services.users, context, emailKey(email));
  if (!(await canMail(services.messages, context.project))) throw mailNotConfigured();
  const forgotten: ForgottenPassword = { email, token: newToken(), languages: context.from.languages };
  const sealed = services.vault
    .encrypt(JSON.stringify(forgotten), forgottenPlace(context.project.id))
    .toString('base64');
  const key = `${context.project.ref}-reset-${sha256(forgotten.token).toString('base64url')}`;
  await addJob(context.db, { task: 'start-password-reset', key, content: { sealed }, isAwaited: true });
}

/** The job of a forgotten password: mails a link, if the address has an account. */
export async function startPasswordReset(
  services: Pick<AuthFlowServices, 'messages' | 'pagesOf'>,
  context: MessageContext,
  { email, token, languages }: ForgottenPassword,
): Promise<void> {
  await context.db.transaction(async (db) => {
    const user = await findUserByEmail({ db }, email);
    if (!user || user.isSuspended) return;
    await lockLoginWays(db, user.id);
    if ((await countRecentTokens(db, user.id, 'reset')) >= mailsPerHour) return;
    const boundTo = emailKey(user.email);
    await insertToken(db, {
      hash: sha256(token),
      purpose: 'reset',
      userId: user.id,
      boundTo,
      lastsS: minutes * 60,
    });
    await mailUser(services, { ...context, db }, user, {
      template: 'password-reset',
      languages,
      variables: {
        link: resetLink(services, context.project, token),
        minutes: String(minutes),
      },
      expiresAt: Date.now() + minutes * 60_000,
    });
  });
}

/** Hashes the new password, if the token looks good: hashing is dear. */
export async function prepareReset(
  services: AuthFlowServices,
  context: RequestContext,
  { token, newPassword }: { token: string; newPassword: string },
): Promise<{ token: string; passwordHash: string }> {
  await limitTries(services.users, context);
  if ((await findOwner(context.db, sha256(token), 'reset')) === undefined) throw invalidToken();
  return { token, passwordHash: await hashPassword(newPassword) };
}

/** Sets a new password. The token is used up, and every sign-in there was ends. */
export async function resetPassword(
  services: AuthFlowServices,
  context: RequestContext,
  { token, passwordHash }: { token: string; passwordHash: string },
): Promise<void> {
  await context.db.transaction(async (db) => {
    const inside = { ...context, db };
    // Two links of one account at the same moment: the second sees the password that the first has set.
    const owner = await findOwner(db, sha256(token), 'reset');
    if (owner !== undefined) await lockLoginWays(db, owner);
    const used = await takeToken(db, sha256(token), 'reset');
    if (!used) throw invalidToken();
    const user = await setPassword(services.users, inside, used.userId, passwordHash);
    // Whoever reads the mailbox owns the account. If that was never shown before, somebody else may have opened it, and
    // left other ways in.
    if (!user.email_verified) {
      await services.unlink(inside, user.id);
      await removeTotp(db, user.id);
      await setSkipsCodes(db, user.id, false);
      if (user.phone !== null) await setPhone(inside, user.id, null);
    }
    await markVerified(db, user.id, used.boundTo);
  });
}
