import { randomUUID } from 'node:crypto';
import { type Static, Type } from 'typebox';
import type { RequestContext } from '../../../calls/index.ts';
import { addJob } from '../../../platform/jobs/add-job.ts';
import type { JobContent } from '../../../platform/jobs/job-runner.ts';
import { openContent, sealContent } from '../../../platform/jobs/sealed-content.ts';
import { configOf } from '../../control/index.ts';
import {
  canMail,
  canText,
  type MessageContext,
  mailNotConfigured,
  mailUser,
  sendText,
  smsNotConfigured,
} from '../messages/index.ts';
import { codeMinutes, endCodesBefore, insertCode, newCode, tooManyCodes } from '../one-time-secrets/index.ts';
import { limitTries, signedIn, signInOf } from '../sessions/index.ts';
import { type AppUser, findUserByPhone, lockSignInMethods, readPhone } from '../user-records/index.ts';
import { countAsked } from './askers.ts';
import type { PhoneCodeDeps, PhoneSignInDeps } from './deps.ts';
import { markTextOf, type PhonePurpose, requirePhoneSignIn } from './phone-code.ts';
import { type Channel, channelSchema } from './schemas.ts';

/** A code that is to be sent to a number; also what the job of a sign-in by phone knows, sealed. */
const wishSchema = Type.Object({
  id: Type.String(),
  phone: Type.String(),
  code: Type.String(),
  channel: channelSchema,
  languages: Type.String(),
  /** When the code would expire anyway. */
  expiresAt: Type.Number(),
});

type PhoneWish = Static<typeof wishSchema>;

const phonePlace = (projectId: string) => `phone login of project ${projectId}`;

/**
 * Sends a code to a phone: to set the phone of a signed-in user, else to sign in whoever has the number. For a sign-in a
 * job looks for the user, so that the call is the same for any number.
 */
export async function sendPhoneCode(
  deps: PhoneSignInDeps,
  context: RequestContext,
  { phone: given, channel: wanted }: { phone: string; channel?: Channel | undefined },
): Promise<void> {
  const phone = readPhone(given);
  await limitTries(deps.users, context, phone);
  requirePhoneSignIn(context);
  if (context.principal.user) return sendVerifyCode(deps, context, phone);
  const channel = wanted ?? ((await canText(deps.messages, context.project)) ? 'sms' : 'email');
  await requireChannel(deps, context, channel);
  const wish = newWish(context, phone, channel);
  const content = sealContent(deps.vault, phonePlace(context.project.id), wish);
  const key = `${context.project.ref}-phone-${wish.id}`;
  await context.db.transaction(async (db) => {
    await countAsked(deps.vault, { ...context, db }, phone);
    await addJob(db, { task: 'start-phone-login', key, content, isAwaited: true });
  });
}

/** The job of a sign-in by phone: sends the code, if the number is a user's. */
export async function phoneTask(
  deps: PhoneCodeDeps,
  context: MessageContext,
  content: JobContent,
): Promise<void> {
  const place = phonePlace(content.projectId);
  const wish = openContent(deps.vault, place, { schema: wishSchema, content });
  if (wish.expiresAt < Date.now()) return;
  await context.db.transaction(async (db) => {
    const user = await findUserByPhone(db, wish.phone);
    if (!user || user.isSuspended) return;
    const given = { ...wish, purpose: 'phone-login', countedFor: wish.phone, user } as const;
    await giveCode(deps, { ...context, db }, given);
  });
}

/** Sends a code that sets the signed-in user's phone. It goes to the phone itself: a mail would show nothing. */
async function sendVerifyCode(deps: PhoneSignInDeps, context: RequestContext, phone: string): Promise<void> {
  await requireChannel(deps, context, 'sms');
  const { id } = signedIn(context);
  const { user } = await signInOf(context, id, 'phone');
  const wish = newWish(context, phone, 'sms');
  await context.db.transaction(async (db) => {
    const given = { ...wish, purpose: 'phone-verify', countedFor: id, user } as const;
    if (!(await giveCode(deps, { ...context, db }, given))) throw tooManyCodes();
  });
}

function newWish({ project, from }: RequestContext, phone: string, channel: Channel): PhoneWish {
  return {
    id: randomUUID(),
    phone,
    code: newCode(configOf(project).OTP_LENGTH),
    channel,
    languages: from.languages,
    expiresAt: Date.now() + codeMinutes * 60_000,
  };
}

/** False: too many were given out already. */
async function giveCode(
  { messages, vault }: PhoneCodeDeps,
  context: MessageContext,
  given: PhoneWish & { purpose: PhonePurpose; countedFor: string; user: AppUser },
): Promise<boolean> {
  const { id, phone, code, channel, languages, purpose, countedFor, user } = given;
  await lockSignInMethods(context.db, user.id);
  const codeMark = vault.mark(markTextOf(purpose, phone, code));
  const kept = { id, purpose, countedFor, userId: user.id, phone, codeMark, lastsS: codeMinutes * 60 };
  if (!(await insertCode(context.db, kept))) return false;
  await endCodesBefore(context.db, kept);
  const variables = { code, minutes: String(codeMinutes) };
  const message = { variables, languages, expiresAt: Date.now() + codeMinutes * 60_000 };
  if (channel === 'sms') await sendText(messages, context, { template: 'sms-code', to: phone, ...message });
  else await mailUser(messages, context, user, { template: 'phone-code', ...message });
  return true;
}

async function requireChannel(
  { messages }: PhoneCodeDeps,
  { project }: RequestContext,
  channel: Channel,
): Promise<void> {
  if (channel === 'sms' && !(await canText(messages, project))) throw smsNotConfigured();
  if (channel === 'email' && !(await canMail(messages, project))) throw mailNotConfigured();
}
