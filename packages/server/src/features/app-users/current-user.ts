import type { Path } from '@plinth/protocol';
import type { Answer } from '../../platform/http/answer.ts';
import { applyPatch, type Fields, fieldsJson } from '../documents/index.ts';
import { holderOf, populate } from '../links/index.ts';
import type { RequestContext, SignedInUser } from '../projects/index.ts';
import type { NewFile } from '../storage/index.ts';
import { type AppUser, userRecord } from './app-user.ts';
import { emailKey, readEmail } from './email.ts';
import { userNotFound, wrongPassword } from './errors.ts';
import { settleFiles } from './held-files.ts';
import { limitTries } from './limit-tries.ts';
import { hashPassword, isPassword } from './passwords.ts';
import { checkSelfRole } from './roles.ts';
import type { AppUserServices } from './services.ts';
import { lifetimeFor, startSession, tokenAnswer } from './sign-in.ts';
import {
  endSession,
  endSessionsOf,
  extendSession,
  findPasswordHash,
  findUser,
  lockUser,
  replacePassword,
  saveUser,
} from './store.ts';

export interface UserChanges {
  readonly data?: Fields;
  readonly role?: string;
  readonly email?: string;
  /** The current password, which a change of e-mail needs. */
  readonly password?: string;
}

/** The signed-in user's own record, with what its data links to. */
export async function getCurrentUser(
  { loadLinked }: AppUserServices,
  context: RequestContext,
  paths: readonly Path[],
): Promise<Record<string, unknown>> {
  const { id } = signedIn(context);
  const user = await findUser(context.db, id);
  if (!user) throw userNotFound(id);
  const record = structuredClone(userRecord(user)) as Record<string, unknown>;
  await populate([holderOf(record, 0)], paths, loadLinked(context));
  return record;
}

/** Merges `data`, applies its operators, and changes role or e-mail where that is allowed. */
export async function changeCurrentUser(
  services: AppUserServices,
  context: RequestContext,
  { changes, files }: { changes: UserChanges; files: readonly NewFile[] },
): Promise<AppUser> {
  const { id } = signedIn(context);
  if (changes.role !== undefined) checkSelfRole(context, changes.role);
  const checked =
    changes.email === undefined
      ? undefined
      : await requirePassword(services, context, changes.password ?? '');
  if (changes.data) await services.links.note(context, 0, [changes.data], services.loadLinked(context));
  return context.db.transaction(async (db) => {
    const before = await lockUser(db, id);
    if (!before) throw userNotFound(id);
    // A reset may have come in between.
    if (checked !== undefined && (await findPasswordHash(db, id)) !== checked) throw wrongPassword();
    const email = changes.email === undefined ? before.email : readEmail(changes.email);
    const data = applyPatch(before.data, changes.data ?? {});
    fieldsJson(data);
    const after: AppUser = {
      ...before,
      email,
      email_verified: before.email_verified && emailKey(email) === emailKey(before.email),
      role: changes.role ?? before.role,
      data,
      updatedAt: Math.max(Date.now(), before.updatedAt + 1),
    };
    await saveUser(db, after, emailKey(email));
    await settleFiles(services, { ...context, db }, after, files);
    if (emailKey(email) !== emailKey(before.email))
      await services.flows.emailChanged({ ...context, db }, after);
    return after;
  });
}

export interface PasswordChange {
  readonly from: string;
  readonly to: string;
}

/** Checks the old password and hashes the new one. */
export async function checkPasswordChange(
  services: AppUserServices,
  context: RequestContext,
  passwords: { old_password: string; new_password: string },
): Promise<PasswordChange> {
  const from = await requirePassword(services, context, passwords.old_password);
  return { from, to: await hashPassword(passwords.new_password) };
}

/** Sets a new password; every token there was ends, and the caller gets a fresh one. */
export async function changePassword(
  services: AppUserServices,
  context: RequestContext,
  change: PasswordChange,
): Promise<Answer> {
  const { id } = signedIn(context);
  return context.db.transaction(async (db) => {
    const user = await lockUser(db, id);
    if (!user) throw userNotFound(id);
    if (!(await replacePassword(db, id, change))) throw wrongPassword();
    await endSessionsOf(db, id);
    await services.flows.passwordChanged({ ...context, db }, user);
    return startSession(services, { ...context, db }, { user, passwordHash: change.to, method: 'password' });
  });
}

/** A fresh token for the same sign-in. */
export async function refreshToken(services: AppUserServices, context: RequestContext): Promise<Answer> {
  const { id, sessionId } = signedIn(context);
  const user = await findUser(context.db, id);
  const lifetime = lifetimeFor(context);
  if (!user || !(await extendSession(context.db, sessionId, lifetime.expiresAt))) throw userNotFound(id);
  return tokenAnswer(services, context, user, { id: sessionId, ...lifetime });
}

/** Ends this sign-in: its tokens are refused from now on. */
export async function logOut(context: RequestContext): Promise<void> {
  await endSession(context.db, signedIn(context).sessionId);
}

/** Checks the user's password; the hash it was checked against. */
export async function requirePassword(
  services: AppUserServices,
  context: RequestContext,
  password: string,
): Promise<string> {
  const { id } = signedIn(context);
  await limitTries(services, context, id);
  const stored = (await findPasswordHash(context.db, id)) ?? undefined;
  if (!(await isPassword(password, stored)) || stored === undefined) throw wrongPassword();
  return stored;
}

/** The user of a route that only users reach. */
export function signedIn({ principal }: RequestContext): SignedInUser {
  if (!principal.user) throw new Error('A route for users ran without one.');
  return principal.user;
}
