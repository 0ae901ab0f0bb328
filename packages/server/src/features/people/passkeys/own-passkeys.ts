import type { RequestContext } from '../../../calls/index.ts';
import { signedIn } from '../sessions/index.ts';
import { getUser, lockSignInMethods } from '../user-records/index.ts';
import type { PasskeyDeps } from './deps.ts';
import { lastMethodOfUser, lastSignInMethod, noSuchPasskey, passkeyNotFound } from './errors.ts';
import type { OwnPasskey, Passkey } from './passkey.ts';
import { countPasskeys, deletePasskey, deletePasskeysOf, listPasskeys, renamePasskey } from './store.ts';

type Others = Pick<PasskeyDeps, 'hasOtherMethod'>;

const idForm = /^[\w-]+$/;

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
export async function deleteOwnPasskey(deps: Others, context: RequestContext, id: string): Promise<void> {
  await removePasskey(deps, context, { ...ownPasskey(context, id), refuse: ownRefusals });
}

/** The passkeys that sign a user in, for the project's server. */
export async function listPasskeysOfUser(context: RequestContext, userId: string): Promise<Passkey[]> {
  const user = await getUser(context, userId);
  return listPasskeys(context.db, user.id);
}

/** Deletes a passkey of a user; the last way to sign in only if that is meant. */
export async function deletePasskeyOfUser(
  deps: Others,
  context: RequestContext,
  { id, userId, isEvenLast }: OwnPasskey & { readonly isEvenLast: boolean },
): Promise<void> {
  const user = await getUser(context, userId);
  if (!idForm.test(id)) throw noSuchPasskey(id);
  const refuse = { missing: noSuchPasskey, last: isEvenLast ? undefined : lastMethodOfUser };
  await removePasskey(deps, context, { id, userId: user.id, refuse });
}

/** How a removal is refused; without `last`, the last way to sign in goes too. */
interface Refusals {
  readonly missing: (id: string) => Error;
  readonly last: (() => Error) | undefined;
}

const ownRefusals: Refusals = { missing: passkeyNotFound, last: lastSignInMethod };

async function removePasskey(
  { hasOtherMethod }: Others,
  context: RequestContext,
  { id, userId, refuse }: OwnPasskey & { readonly refuse: Refusals },
): Promise<void> {
  await context.db.transaction(async (db) => {
    const { hasPassword } = await lockSignInMethods(db, userId);
    if (!(await deletePasskey(db, { id, userId }))) throw refuse.missing(id);
    if (!refuse.last || hasPassword || (await countPasskeys(db, userId)) > 0) return;
    if (!(await hasOtherMethod({ ...context, db }, userId))) throw refuse.last();
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
  if (!idForm.test(id)) throw passkeyNotFound(id);
  return { id, userId: signedIn(context).id };
}
