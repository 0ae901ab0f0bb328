import type { RequestContext } from '../../../calls/index.ts';
import { findTokenOwner, invalidToken, takeToken } from '../one-time-secrets/index.ts';
import { setPassword } from '../passwords/index.ts';
import { forgetSecondStep } from '../second-step/index.ts';
import { limitTries } from '../sessions/index.ts';
import { lockSignInMethods, markEmailVerified, setPhone } from '../user-records/index.ts';
import type { ResetPasswordDeps } from './deps.ts';

/** Can a password be reset with the token? Asking does not use it up. */
export async function isResetToken({ db }: RequestContext, token: string): Promise<boolean> {
  return (await findTokenOwner(db, token, 'reset')) !== undefined;
}

/** Hashes the new password if the token looks right: hashing is expensive. */
export async function prepareReset(
  deps: ResetPasswordDeps,
  context: RequestContext,
  { token, newPassword }: { token: string; newPassword: string },
): Promise<{ token: string; passwordHash: string }> {
  await limitTries(deps.users, context);
  if (!(await isResetToken(context, token))) throw invalidToken();
  return { token, passwordHash: await deps.users.passwords.hash(context.project.id, newPassword) };
}

/** Sets a new password. The token is used up, and every session ends. */
export async function resetPassword(
  deps: ResetPasswordDeps,
  context: RequestContext,
  { token, passwordHash }: { token: string; passwordHash: string },
): Promise<void> {
  await context.db.transaction(async (db) => {
    const inside = { ...context, db };
    // If two links of one user are opened at the same moment, the second sees the password that the first has set.
    const owner = await findTokenOwner(db, token, 'reset');
    if (owner !== undefined) await lockSignInMethods(db, owner);
    const used = await takeToken(db, token, 'reset');
    if (!used) throw invalidToken();
    const user = await setPassword(deps.users, inside, used.userId, passwordHash);
    // Whoever reads the mailbox is the user. If nobody had shown that before, a stranger may have signed up with the
    // address and left other ways in.
    if (!user.email_verified) {
      await deps.unlink(inside, user.id);
      await forgetSecondStep(db, user.id);
      if (user.phone !== null) await setPhone(inside, user.id, null);
    }
    await markEmailVerified(db, user.id, used.boundTo);
  });
}
