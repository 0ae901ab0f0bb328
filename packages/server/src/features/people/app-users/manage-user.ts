import type { RequestContext } from '../../../calls/index.ts';
import { isId } from '../../../platform/ids.ts';
import { applyPatch, type Fields, fieldsJson } from '../../data/index.ts';
import { releaseHeldBy } from '../../files/index.ts';
import { forgetRecordsTo } from '../messages/index.ts';
import { endSessionsOf } from '../sessions/index.ts';
import {
  type AppUser,
  emailKey,
  getUser,
  lockUser,
  readEmail,
  readPhone,
  removeUser,
  savePassword,
  saveUser,
  userNotFound,
} from '../user-records/index.ts';
import type { AppUserDeps } from './deps.ts';
import { settleFiles } from './held-files.ts';

/** What the project's server may change about a user. */
export interface ServerChanges {
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly phone?: string | null;
  readonly role?: string;
  readonly data?: Fields;
  readonly claims?: Fields;
  readonly suspended?: boolean;
  /** False removes the authenticator app and its recovery codes, for a user who has lost both. */
  readonly authenticator?: false;
  readonly password?: string;
}

export async function changeUser(
  deps: AppUserDeps,
  context: RequestContext,
  id: string,
  changes: ServerChanges,
): Promise<AppUser> {
  deps.quotas.requireRoom(context.project);
  await getUser(context, id);
  const passwordHash =
    changes.password === undefined
      ? undefined
      : await deps.passwords.hash(context.project.id, changes.password);
  return context.db.transaction(async (db) => {
    const before = await lockUser(db, id);
    if (!before) throw userNotFound(id);
    const after = changed(before, changes);
    fieldsJson(after.data);
    fieldsJson(after.claims);
    if (changes.data)
      await deps.links.note({ ...context, db }, 0, [changes.data], deps.loadLinked({ ...context, db }));
    await saveUser(db, after, emailKey(after.email));
    await settleFiles(deps, { ...context, db }, after);
    if (passwordHash !== undefined) await savePassword(db, id, passwordHash);
    if (passwordHash !== undefined || after.isSuspended) await endSessionsOf(db, id);
    if (changes.authenticator === false) await deps.flows.removeAuthenticator({ ...context, db }, id);
    if (emailKey(after.email) !== emailKey(before.email))
      await deps.flows.emailChanged({ ...context, db }, after);
    if (passwordHash !== undefined) await deps.flows.passwordChanged({ ...context, db }, after);
    return after;
  });
}

function changed(before: AppUser, changes: ServerChanges): AppUser {
  return {
    ...before,
    email: changes.email === undefined ? before.email : readEmail(changes.email),
    // A new address is not the one that was verified.
    email_verified:
      changes.email_verified ??
      (before.email_verified &&
        (changes.email === undefined || emailKey(changes.email) === emailKey(before.email))),
    phone: changes.phone === undefined ? before.phone : changes.phone && readPhone(changes.phone),
    role: changes.role ?? before.role,
    data: applyPatch(before.data, changes.data ?? {}),
    claims: applyPatch(before.claims, changes.claims ?? {}),
    isSuspended: changes.suspended ?? before.isSuspended,
    updatedAt: Math.max(Date.now(), before.updatedAt + 1),
  };
}

export async function deleteUser(
  { storage }: AppUserDeps,
  context: RequestContext,
  id: string,
): Promise<void> {
  await context.db.transaction(async (db) => {
    const user = isId(id) ? await lockUser(db, id) : undefined;
    if (!user || !(await removeUser(db, id))) throw userNotFound(id);
    await endSessionsOf(db, id);
    await forgetRecordsTo(db, [user.email, ...(user.phone === null ? [] : [user.phone])]);
    await releaseHeldBy(db, [id], storage);
  });
}
