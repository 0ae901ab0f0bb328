import type { ControlDb } from '../../../platform/db/control-db.ts';
import { clearProofs, findAccount, replaceRecoveryCodes } from './account-store.ts';
import { endSessions } from './session-store.ts';
import { deleteTokensOf } from './token-store.ts';

/**
 * Gives an account to whoever has shown that its address is theirs. If nobody had before, a stranger may have signed up
 * with it, and must keep no way in.
 */
export async function handOver(control: ControlDb, id: string): Promise<void> {
  if ((await findAccount(control, id))?.isVerified) return;
  await clearProofs(control, id);
  await replaceRecoveryCodes(control, id, []);
  await deleteTokensOf(control, id);
  await endSessions(control, id);
}
