import { accountIn, type ManagementContext } from '../../../calls/management/index.ts';
import { noPasskey } from './errors.ts';
import type { AccountPasskey } from './passkey.ts';
import { deletePasskey, listPasskeys, renamePasskey } from './passkey-store.ts';

/** The passkeys that sign the account in. */
export async function listOwnPasskeys(context: ManagementContext): Promise<AccountPasskey[]> {
  return listPasskeys(context.control, accountIn(context).id);
}

export async function renameOwnPasskey(
  context: ManagementContext,
  id: string,
  name: string,
): Promise<AccountPasskey> {
  const renamed = await renamePasskey(context.control, { id, accountId: accountIn(context).id }, name);
  if (!renamed) throw noPasskey(id);
  return renamed;
}

/** Deletes a passkey, the last one too: a mailed link gives every account a new password. */
export async function deleteOwnPasskey(context: ManagementContext, id: string): Promise<void> {
  if (!(await deletePasskey(context.control, { id, accountId: accountIn(context).id }))) throw noPasskey(id);
}
