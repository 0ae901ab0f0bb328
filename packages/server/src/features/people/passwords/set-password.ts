import type { Answer, RequestContext } from '../../../calls/index.ts';
import {
  type Admission,
  endSessionsOf,
  type SessionDeps,
  signedIn,
  startSession,
} from '../sessions/index.ts';
import {
  type AppUser,
  lockUser,
  replacePassword,
  savePassword,
  userNotFound,
} from '../user-records/index.ts';
import { requirePassword } from './check-password.ts';
import type { PasswordDeps } from './deps.ts';
import { wrongPassword } from './errors.ts';

export interface PasswordChange {
  readonly from: string;
  readonly to: string;
}

/** Checks the old password and hashes the new one. */
export async function checkPasswordChange(
  deps: PasswordDeps,
  context: RequestContext,
  given: { old_password: string; new_password: string },
): Promise<PasswordChange> {
  const from = await requirePassword(deps, context, given.old_password);
  return { from, to: await deps.passwords.hash(context.project.id, given.new_password) };
}

/** Sets a new password. Every earlier token ends, and the caller gets a fresh one. */
export async function changePassword(
  deps: PasswordDeps,
  context: RequestContext,
  change: PasswordChange,
  admission: Admission,
): Promise<Answer> {
  const { id } = signedIn(context);
  return context.db.transaction(async (db) => {
    const user = await lockUser(db, id);
    if (!user) throw userNotFound(id);
    if (!(await replacePassword(db, id, change))) throw wrongPassword();
    await endSessionsOf(db, id);
    await deps.flows.passwordChanged({ ...context, db }, user);
    const proven = { user, passwordHash: change.to, method: 'password' };
    return startSession(deps, { ...context, db }, proven, { admission });
  });
}

/** Sets a password for a user who has shown that they may; every session ends. Call it in a transaction. */
export async function setPassword(
  { flows }: Pick<SessionDeps, 'flows'>,
  context: RequestContext,
  userId: string,
  passwordHash: string,
): Promise<AppUser> {
  // First the user, then the secrets: whoever starts a session locks them in this order too.
  const user = await lockUser(context.db, userId);
  if (!user) throw userNotFound(userId);
  await savePassword(context.db, userId, passwordHash);
  await endSessionsOf(context.db, userId);
  await flows.passwordChanged(context, user);
  return user;
}
