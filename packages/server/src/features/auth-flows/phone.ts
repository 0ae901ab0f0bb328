import { randomUUID } from 'node:crypto';
import { addJob } from '../../platform/jobs/add-job.ts';
import {
  type AppUser,
  findUserByPhone,
  type Login,
  limitTries,
  lockLoginWays,
  lockOwnLoginWays,
  loginOf,
  readPhone,
  requireFreshOrOwner,
  setPhone,
  signedIn,
} from '../app-users/index.ts';
import {
  canMail,
  canText,
  type MessageContext,
  mailNotConfigured,
  sendText,
  smsNotConfigured,
} from '../messages/index.ts';
import { configOf, type RequestContext } from '../projects/index.ts';
import { type CodePurpose, endCodesBefore, insertCode, takeTry } from './code-store.ts';
import { flowOff, invalidCode, tooManyCodes } from './errors.ts';
import { mailUser } from './mail-user.ts';
import { codeMinutes } from './second-step.ts';
import { newCode } from './secrets.ts';
import type { AuthFlowServices } from './services.ts';

export type Channel = 'sms' | 'email';

/** What the job of a phone login knows, sealed. */
export interface PhoneWish {
  readonly id: string;
  readonly phone: string;
  readonly code: string;
  readonly channel: Channel;
  readonly languages: string;
  /** When the code would be past its time anyway. */
  readonly expiresAt: number;
}

export const phonePlace = (projectId: string) => `phone login of project ${projectId}`;

/**
 * Sends a code to a phone: to a signed-in user, to set its phone; else to whoever has the number, to sign in. In that
 * case a job looks for the account, so that the call is the same for any number.
 */
export async function sendPhoneCode(
  services: AuthFlowServices,
  context: RequestContext,
  wish: { phone: string; channel?: Channel | undefined },
): Promise<void> {
  const phone = readPhone(wish.phone);
  await limitTries(services.users, context, phone);
  requirePhoneLogin(context);
  if (context.principal.user) return sendVerifyCode(services, context, phone);
  const channel = wish.channel ?? ((await canText(services.messages, context.project)) ? 'sms' : 'email');
  await requireChannel(services, context, channel);
  const code = newCode(configOf(context.project).OTP_LENGTH);
  const content: PhoneWish = {
    id: randomUUID(),
    phone,
    code,
    channel,
    languages: context.from.languages,
    expiresAt: Date.now() + codeMinutes * 60_000,
  };
  const sealed = services.vault
    .encrypt(JSON.stringify(content), phonePlace(context.project.id))
    .toString('base64');
  const key = `${context.project.ref}-phone-${content.id}`;
  await addJob(context.db, { task: 'start-phone-login', key, content: { sealed }, isAwaited: true });
}

/** The job of a phone login: sends the code, if the number is somebody's and was not sent too many. */
export async function startPhoneLogin(
  services: Pick<AuthFlowServices, 'messages' | 'vault'>,
  context: MessageContext,
  wish: PhoneWish,
): Promise<void> {
  if (wish.expiresAt < Date.now()) return;
  await context.db.transaction(async (db) => {
    const user = await findUserByPhone(db, wish.phone);
    if (!user || user.isSuspended) return;
    const given = { ...wish, purpose: 'phone-login' as const, account: wish.phone, user };
    await giveCode(services, { ...context, db }, given);
  });
}

/** Sets the signed-in user's phone needs a code that went to it: mail would show nothing. */
async function sendVerifyCode(
  services: AuthFlowServices,
  context: RequestContext,
  phone: string,
): Promise<void> {
  await requireChannel(services, context, 'sms');
  const { id } = signedIn(context);
  const { user } = await loginOf(context, id, 'phone');
  await context.db.transaction(async (db) => {
    const isGiven = await giveCode(
      services,
      { ...context, db },
      {
        id: randomUUID(),
        phone,
        code: newCode(configOf(context.project).OTP_LENGTH),
        channel: 'sms',
        languages: context.from.languages,
        expiresAt: Date.now() + codeMinutes * 60_000,
        purpose: 'phone-verify',
        account: id,
        user,
      },
    );
    if (!isGiven) throw tooManyCodes();
  });
}

async function giveCode(
  services: Pick<AuthFlowServices, 'messages' | 'vault'>,
  context: MessageContext,
  given: PhoneWish & { purpose: CodePurpose; account: string; user: AppUser },
): Promise<boolean> {
  const { id, phone, code, channel, languages, purpose, account, user } = given;
  await lockLoginWays(context.db, user.id);
  const codeMark = services.vault.mark(markText(purpose, phone, code));
  const lastsS = codeMinutes * 60;
  if (!(await insertCode(context.db, { id, purpose, account, userId: user.id, phone, codeMark, lastsS })))
    return false;
  await endCodesBefore(context.db, { id, purpose, account });
  const variables = { code, minutes: String(codeMinutes) };
  const message = { variables, languages, expiresAt: Date.now() + codeMinutes * 60_000 };
  if (channel === 'sms')
    await sendText(services.messages, context, { template: 'sms-code', to: phone, ...message });
  else await mailUser(services, context, user, { template: 'phone-code', ...message });
  return true;
}

/** The user that a phone and its code sign in. Call it outside a transaction: a wrong try must count. */
export async function checkPhoneLogin(
  services: AuthFlowServices,
  context: RequestContext,
  given: { phone: string; code: string },
): Promise<Login> {
  requirePhoneLogin(context);
  const phone = readPhone(given.phone);
  await limitTries(services.users, context, phone);
  const marks = services.vault.marks(markText('phone-login', phone, given.code.trim()));
  const tried = await takeTry(context.db, { purpose: 'phone-login', account: phone }, marks);
  if (!tried?.isRight) throw invalidCode();
  const login = await loginOf(context, tried.userId, 'phone');
  // The number went to somebody else since.
  if (login.user.phone !== phone) throw invalidCode();
  return login;
}

/** Checks the code that the signed-in user got on its phone. Call it outside a transaction: a wrong try must count. */
export async function checkPhone(
  services: AuthFlowServices,
  context: RequestContext,
  given: { phone: string; code: string; password?: string },
): Promise<string> {
  requirePhoneLogin(context);
  const phone = readPhone(given.phone);
  const { id } = signedIn(context);
  await requireFreshOrOwner(services.users, context, given.password);
  const marks = services.vault.marks(markText('phone-verify', phone, given.code.trim()));
  const tried = await takeTry(context.db, { purpose: 'phone-verify', account: id }, marks);
  if (!tried?.isRight || tried.phone !== phone) throw invalidCode();
  return phone;
}

/** Sets the phone that was checked. */
export async function verifyPhone(context: RequestContext, phone: string): Promise<AppUser> {
  return context.db.transaction(async (db) => {
    await lockOwnLoginWays({ ...context, db });
    return setPhone({ ...context, db }, signedIn(context).id, phone);
  });
}

const markText = (purpose: CodePurpose, phone: string, code: string) => `${purpose} ${phone} ${code}`;

function requirePhoneLogin({ project }: RequestContext): void {
  if (!configOf(project).ENABLE_PHONE_LOGIN)
    throw flowOff('Login by phone', 'the configuration key ENABLE_PHONE_LOGIN');
}

async function requireChannel(
  { messages }: AuthFlowServices,
  { project }: RequestContext,
  channel: Channel,
): Promise<void> {
  if (channel === 'sms' && !(await canText(messages, project))) throw smsNotConfigured();
  if (channel === 'email' && !(await canMail(messages, project))) throw mailNotConfigured();
}
