import { type Static, Type } from 'typebox';
import type { Project, RequestContext } from '../../../calls/index.ts';
import { sha256 } from '../../../platform/crypto/secrets.ts';
import { addJob } from '../../../platform/jobs/add-job.ts';
import type { JobContent } from '../../../platform/jobs/job-runner.ts';
import { openContent, sealContent } from '../../../platform/jobs/sealed-content.ts';
import { configOf } from '../../control/index.ts';
import { canMail, type MessageContext, mailNotConfigured, mailUser } from '../messages/index.ts';
import { countRecentTokens, keepToken, linkWithToken, newToken } from '../one-time-secrets/index.ts';
import { limitTries } from '../sessions/index.ts';
import { emailKey, findUserByEmail, lockSignInMethods } from '../user-records/index.ts';
import type { ResetMailDeps, ResetPasswordDeps } from './deps.ts';

const minutes = 60;
const mailsPerHour = 5;

/** What the job of a forgotten password knows, sealed. */
const forgottenSchema = Type.Object({
  email: Type.String(),
  token: Type.String(),
  languages: Type.String(),
});

type ForgottenPassword = Static<typeof forgottenSchema>;

const forgottenPlace = (projectId: string) => `forgotten password of project ${projectId}`;

/**
 * Notes that somebody has forgotten the password of an address. A job looks later whether there is such a user: the call
 * does the same, and takes the same time, for any address.
 */
export async function requestPasswordReset(
  deps: ResetPasswordDeps,
  context: RequestContext,
  email: string,
): Promise<void> {
  await limitTries(deps.users, context, emailKey(email));
  if (!(await canMail(deps.messages, context.project))) throw mailNotConfigured();
  const forgotten: ForgottenPassword = { email, token: newToken(), languages: context.from.languages };
  const content = sealContent(deps.vault, forgottenPlace(context.project.id), forgotten);
  const key = `${context.project.ref}-reset-${sha256(forgotten.token).toString('base64url')}`;
  // Whether there is such a user or not, the call fails if no mail could be sent.
  await deps.messages.quotas.spend(context, { mailsPerDay: 1 }, () =>
    addJob(context.db, { task: 'start-password-reset', key, content, isAwaited: true }),
  );
}

/** The job of a forgotten password. */
export async function resetTask(
  deps: ResetMailDeps,
  context: MessageContext,
  content: JobContent,
): Promise<void> {
  const place = forgottenPlace(content.projectId);
  await mailResetLink(deps, context, openContent(deps.vault, place, { schema: forgottenSchema, content }));
}

/** Mails a link, if the address is a user's. */
async function mailResetLink(
  deps: ResetMailDeps,
  context: MessageContext,
  { email, token, languages }: ForgottenPassword,
): Promise<void> {
  await context.db.transaction(async (db) => {
    const user = await findUserByEmail({ db }, email);
    if (!user || user.isSuspended) return;
    await lockSignInMethods(db, user.id);
    if ((await countRecentTokens(db, user.id, 'reset')) >= mailsPerHour) return;
    await keepToken(db, {
      token,
      purpose: 'reset',
      userId: user.id,
      boundTo: emailKey(user.email),
      lastsS: minutes * 60,
    });
    await mailUser(deps.messages, { ...context, db }, user, {
      template: 'password-reset',
      languages,
      variables: {
        link: linkWithToken(pageOf(deps, context.project), token),
        minutes: String(minutes),
      },
      expiresAt: Date.now() + minutes * 60_000,
    });
  });
}

/** Where the link leads: to the project's own page, else to ours. */
function pageOf({ pagesOf }: ResetMailDeps, project: Project): string {
  return configOf(project).PASSWORD_RESET_URL ?? `${pagesOf(project)}/reset-password`;
}
