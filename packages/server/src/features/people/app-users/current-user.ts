import type { Path } from '@plinth/protocol';
import type { RequestContext } from '../../../calls/index.ts';
import { applyPatch, type Fields, holderOf, populate } from '../../data/index.ts';
import type { NewFile } from '../../files/index.ts';
import { requirePassword, wrongPassword } from '../passwords/index.ts';
import { signedIn } from '../sessions/index.ts';
import {
  type AppUser,
  emailKey,
  findPasswordHash,
  findUser,
  lockUser,
  readEmail,
  saveUser,
  userNotFound,
  userRecord,
} from '../user-records/index.ts';
import type { AppUserDeps } from './deps.ts';
import { passwordNotChangedHere } from './errors.ts';
import { settleFiles } from './held-files.ts';
import { checkOwnData } from './own-data.ts';
import { checkSelfRole } from './roles.ts';

export interface UserChanges {
  readonly data?: Fields;
  readonly role?: string;
  readonly email?: string;
  /** The current password, which a change of e-mail needs. */
  readonly password?: string;
}

/** The signed-in user's own record, with what its data links to, as JSON. */
export async function getCurrentUser(
  { loadLinked }: AppUserDeps,
  context: RequestContext,
  paths: readonly Path[],
): Promise<string> {
  const { id } = signedIn(context);
  const user = await findUser(context.db, id);
  if (!user) throw userNotFound(id);
  const record: Fields = structuredClone(userRecord(user));
  const write = await populate([holderOf(record, 0)], {
    paths,
    load: loadLinked(context),
    asker: context.project.id,
  });
  return write(record);
}

/** Merges `data`, applies its operators, and changes role or e-mail if that is allowed. */
export async function changeCurrentUser(
  deps: AppUserDeps,
  context: RequestContext,
  { changes, files }: { changes: UserChanges; files: readonly NewFile[] },
): Promise<AppUser> {
  const { id } = signedIn(context);
  if (changes.password !== undefined && changes.email === undefined) throw passwordNotChangedHere();
  if (changes.role !== undefined) checkSelfRole(context, changes.role);
  const checked =
    changes.email === undefined ? undefined : await requirePassword(deps, context, changes.password ?? '');
  deps.quotas.requireRoom(context.project);
  return context.db.transaction(async (db) => {
    const before = await lockUser(db, id);
    if (!before) throw userNotFound(id);
    // A reset may have come in between.
    if (checked !== undefined && (await findPasswordHash(db, id)) !== checked) throw wrongPassword();
    const email = changes.email === undefined ? before.email : readEmail(changes.email);
    const data = applyPatch(before.data, changes.data ?? {});
    checkOwnData(data);
    const after: AppUser = {
      ...before,
      email,
      email_verified: before.email_verified && emailKey(email) === emailKey(before.email),
      role: changes.role ?? before.role,
      data,
      updatedAt: Math.max(Date.now(), before.updatedAt + 1),
    };
    if (changes.data)
      await deps.links.note({ ...context, db }, 0, [changes.data], deps.loadLinked({ ...context, db }));
    await saveUser(db, after, emailKey(email));
    await settleFiles(deps, { ...context, db }, after, files);
    if (emailKey(email) !== emailKey(before.email)) await deps.flows.emailChanged({ ...context, db }, after);
    return after;
  });
}
