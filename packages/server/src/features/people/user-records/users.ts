import type { RequestContext } from '../../../calls/index.ts';
import { isId } from '../../../platform/ids.ts';
import { emailKey } from './email.ts';
import { userNotFound } from './errors.ts';
import { findSignInByEmail } from './secret-store.ts';
import type { AppUser } from './user-record.ts';
import { findUser, findUsers, lockUser, saveUser } from './user-store.ts';

export async function getUser({ db }: RequestContext, id: string): Promise<AppUser> {
  const user = isId(id) ? await findUser(db, id) : undefined;
  if (!user) throw userNotFound(id);
  return user;
}

/** Users by their ids, for population, as long as they have so many bytes together. */
export async function readLinkedUsers(
  { db }: RequestContext,
  ids: readonly string[],
  bytes: number,
): Promise<AppUser[]> {
  return findUsers(db, ids, bytes);
}

export async function findUserByEmail(
  { db }: Pick<RequestContext, 'db'>,
  email: string,
): Promise<AppUser | undefined> {
  return (await findSignInByEmail(db, emailKey(email)))?.user;
}

/** Sets or removes the phone that signs a user in; 400 if it is another user's. Call it in a transaction. */
export async function setPhone(
  { db }: RequestContext,
  userId: string,
  phone: string | null,
): Promise<AppUser> {
  const before = await lockUser(db, userId);
  if (!before) throw userNotFound(userId);
  const after = { ...before, phone, updatedAt: Math.max(Date.now(), before.updatedAt + 1) };
  await saveUser(db, after, emailKey(after.email));
  return after;
}
