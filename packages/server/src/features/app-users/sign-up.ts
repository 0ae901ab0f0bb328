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

/** Checks what a sign-up sends, and hashes its password. */
export async function checkSignUp(
  services: AppUserServices,
  context: RequestContext,
  { body, address, form }: { body: NewUser; address: string; form?: FilledForm | undefined },
): Promise<CheckedUser> {
  // A form was counted before it was read.
  if (!form) await limitTries(services, { projectId: context.project.id, address });
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
    const user = newUser(email, role, data);
    if (!(await insertUser(db, user, { emailKey: emailKey(email), passwordHash }))) throw emailTaken();
    await settleFiles(services, { ...context, db }, user, files);
    return startSession(services, { ...context, db }, { user, passwordHash }, 201);
  });
}

function newUser(email: string, role: string, data: Fields): AppUser {
  const id = newId(0);
  return {
    id,
    email,
    role,
    email_verified: false,
    phone: null,
    data,
    claims: {},
    isSuspended: false,
    updatedAt: timeOfId(id),
  };
}
