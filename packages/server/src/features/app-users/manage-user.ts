import { isId } from '../../platform/ids.ts';
import { applyPatch, type Fields, fieldsJson } from '../documents/index.ts';
import type { RequestContext } from '../projects/index.ts';
import { type CountWish, everything, invalidQuery, readQuery, runList } from '../query/index.ts';
import { releaseHeldBy } from '../storage/index.ts';
import type { AppUser } from './app-user.ts';
import { emailKey, readEmail } from './email.ts';
import { userNotFound } from './errors.ts';
import { settleFiles } from './held-files.ts';
import { hashPassword } from './passwords.ts';
import { readPhone } from './phone.ts';
import type { AppUserServices } from './services.ts';
import {
  countMatchingUsers,
  countUsers,
  endSessionsOf,
  findUser,
  findUsers,
  listUsers,
  lockUser,
  removeUser,
  savePassword,
  saveUser,
} from './store.ts';

/** What the project's server may change of a user. */
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

export async function getUser({ db }: RequestContext, id: string): Promise<AppUser> {
  const user = isId(id) ? await findUser(db, id) : undefined;
  if (!user) throw userNotFound(id);
  return user;
}

/** Users by their ids, for population. */
export async function readLinkedUsers({ db }: RequestContext, ids: readonly string[]): Promise<AppUser[]> {
  return findUsers(db, ids);
}

/** A page of users, with the filter language on their fields and `data.*`. */
export async function listAllUsers(
  { scopes }: AppUserServices,
  context: RequestContext,
  { queryString, wish }: { queryString: string; wish: CountWish },
) {
  // One parameter of this list is older than the operators and spelled without theirs.
  const spelled = queryString.replace(/(^|&)email_contains=/g, '$1email__contains=');
  const query = await readQuery(spelled, await scopes.users(context));
  if (query.select || query.populate.length > 0)
    throw invalidQuery(query.select ? 'select' : 'populate', 'This list does not take it.');
  const { db } = context;
  const list = await runList(
    query,
    everything,
    {
      page: async (page) =>
        (await listUsers(db, page)).map(({ user, sortValues }) => ({ item: user, id: user.id, sortValues })),
      count: ({ matching, upTo }) => countMatchingUsers(db, matching, upTo),
      countAll: () => countUsers(db),
    },
    wish,
  );
  return { users: list.items, page: list.page };
}

export async function changeUser(
  services: AppUserServices,
  context: RequestContext,
  id: string,
  changes: ServerChanges,
): Promise<AppUser> {
  await getUser(context, id);
  const passwordHash = changes.password === undefined ? undefined : await hashPassword(changes.password);
  if (changes.data) await services.links.note(context, 0, [changes.data], services.loadLinked(context));
  return context.db.transaction(async (db) => {
    const before = await lockUser(db, id);
    if (!before) throw userNotFound(id);
    const after: AppUser = {
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
    fieldsJson(after.data);
    fieldsJson(after.claims);
    await saveUser(db, after, emailKey(after.email));
    await settleFiles(services, { ...context, db }, after);
    if (passwordHash !== undefined) await savePassword(db, id, passwordHash);
    if (passwordHash !== undefined || after.isSuspended) await endSessionsOf(db, id);
    if (changes.authenticator === false) await services.flows.removeAuthenticator({ ...context, db }, id);
    if (emailKey(after.email) !== emailKey(before.email))
      await services.flows.emailChanged({ ...context, db }, after);
    if (passwordHash !== undefined) await services.flows.passwordChanged({ ...context, db }, after);
    return after;
  });
}

export async function deleteUser(
  { storage }: AppUserServices,
  context: RequestContext,
  id: string,
): Promise<void> {
  await context.db.transaction(async (db) => {
    if (!isId(id) || !(await removeUser(db, id))) throw userNotFound(id);
    await releaseHeldBy(db, [id], storage);
  });
}
