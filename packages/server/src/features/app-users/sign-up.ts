import type { Answer } from '../../platform/http/answer.ts';
import { newId, timeOfId } from '../../platform/ids.ts';
import { applyPatch, type Fields, fieldsJson } from '../documents/index.ts';
import type { FilledForm, RequestContext } from '../projects/index.ts';
import type { NewFile } from '../storage/index.ts';
import type { AppUser } from './app-user.ts';
import { emailKey, readEmail } from './email.ts';
import { emailTaken, operatorAtSignUp } from './errors.ts';
import { settleFiles } from './held-files.ts';
import { limitTries } from './limit-tries.ts';
import { hashPassword } from './passwords.ts';
import { checkSelfRole } from './roles.ts';
import type { AppUserServices } from './services.ts';
import { startSession } from './sign-in.ts';
import { insertUser } from './store.ts';

export interface NewUser {
  readonly email: string;
  readonly password: string;
  readonly data?: Fields;
  readonly role?: string;
}

const defaultRole = 'user';

export interface CheckedUser {
  readonly email: string;
  readonly role: string;
  readonly data: Fields;
  readonly passwordHash: string;
}

interface NewAccount {
  readonly email: string;
  readonly passwordHash: string | null;
  readonly role?: string;
  readonly data?: Fields;
  readonly emailVerified?: boolean;
}

/** Checks what a sign-up sends, and hashes its password. */
export async function checkSignUp(
  services: AppUserServices,
  context: RequestContext,
  { body, form }: { body: NewUser; form?: FilledForm | undefined },
): Promise<CheckedUser> {
  // A form was counted before it was read.
  if (!form) await limitTries(services, context);
  const email = readEmail(body.email);
  if (body.role !== undefined) checkSelfRole(context, body.role);
  const operator = Object.keys(body.data ?? {}).find((name) => name.startsWith('$'));
  if (operator !== undefined) throw operatorAtSignUp(operator);
  const data = applyPatch({}, body.data ?? {});
  fieldsJson(data);
  return { email, role: body.role ?? defaultRole, data, passwordHash: await hashPassword(body.password) };
}

/** Creates an app user and signs it in. */
export async function signUp(
  services: AppUserServices,
  context: RequestContext,
  { email, role, data, passwordHash }: CheckedUser,
  files: readonly NewFile[] = [],
): Promise<Answer> {
  await services.links.note(context, 0, [data], services.loadLinked(context));
  return context.db.transaction(async (db) => {
    const user = await createUser(services, { ...context, db }, { email, role, data, passwordHash });
    await settleFiles(services, { ...context, db }, user, files);
    return startSession(services, { ...context, db }, { user, passwordHash, method: 'sign-up' }, 201);
  });
}

/** Creates an app user, with or without a password, and what comes with it: call it in a transaction. */
export async function createUser(
  services: Pick<AppUserServices, 'flows'>,
  context: RequestContext,
  { email, passwordHash, ...wish }: NewAccount,
): Promise<AppUser> {
  const user = newUser(email, wish);
  if (!(await insertUser(context.db, user, { emailKey: emailKey(email), passwordHash }))) throw emailTaken();
  await services.flows.signedUp(context, user);
  return user;
}

function newUser(
  email: string,
  { role = defaultRole, data = {}, emailVerified = false }: Omit<NewAccount, 'email' | 'passwordHash'>,
): AppUser {
  const id = newId(0);
  return {
    id,
    email,
    role,
    email_verified: emailVerified,
    phone: null,
    data,
    claims: {},
    isSuspended: false,
    updatedAt: timeOfId(id),
  };
}
