import type { RequestContext } from '../../../calls/index.ts';
import { signedIn } from '../sessions/index.ts';
import { lockSignInMethods } from '../user-records/index.ts';
import type { PasskeyDeps } from './deps.ts';
import { lastSignInMethod, passkeyNotFound } from './errors.ts';
import type { OwnPasskey, Passkey } from './passkey.ts';
import { countPasskeys, deletePasskey, deletePasskeysOf, listPasskeys, renamePasskey } from './store.ts';

/** The passkeys that sign the user in. */
export async function listOwnPasskeys(context: RequestContext): Promise<Passkey[]> {
  return listPasskeys(context.db, signedIn(context).id);
}

/** Gives one of the user's passkeys another name. */
export async function renameOwnPasskey(context: RequestContext, id: string, name: string): Promise<Passkey> {
  const renamed = await renamePasskey(context.db, ownPasskey(context, id), name);
  if (!renamed) throw passkeyNotFound(id);
  return renamed;
}

/** Deletes one of the user's passkeys, unless that is the last way to sign in. */
export async function deleteOwnPasskey(
  { hasOtherMethod }: PasskeyDeps,
  context: RequestContext,
  id: string,
): Promise<void> {
  const own = ownPasskey(context, id);
  await context.db.transaction(async (db) => {
    const { hasPassword } = await lockSignInMethods(db, own.userId);
    if (!(await deletePasskey(db, own))) throw passkeyNotFound(id);
    if (hasPassword || (await countPasskeys(db, own.userId)) > 0) return;
    if (!(await hasOtherMethod({ ...context, db }, own.userId))) throw lastSignInMethod();
  });
}

/** Deletes every passkey of a user, because somebody else may have added them. */
export async function forgetPasskeysOf({ db }: Pick<RequestContext, 'db'>, userId: string): Promise<void> {
  await deletePasskeysOf(db, userId);
}

/** Whether a user has a passkey. */
export async function hasPasskeys({ db }: Pick<RequestContext, 'db'>, userId: string): Promise<boolean> {
  return (await countPasskeys(db, userId)) > 0;
}

function ownPasskey(context: RequestContext, id: string): OwnPasskey {
  if (!/^[\w-]+$/.test(id)) throw passkeyNotFound(id);
  return { id, userId: signedIn(context).id };
}
