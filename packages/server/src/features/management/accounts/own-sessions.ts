import { accountIn, type ManagementContext } from '../../../calls/management/index.ts';
import { describeAccount } from './account.ts';
import { findAccount, saveName } from './account-store.ts';
import { noSession } from './errors.ts';
import { endSession, endSessions, listSessions } from './session-store.ts';
import { deleteToken } from './token-store.ts';

/** The account as its owner sees it. */
export async function ownAccount(context: ManagementContext) {
  const account = await findAccount(context.control, accountIn(context).id);
  if (!account) throw noSession('');
  return describeAccount(account);
}

export async function renameAccount(context: ManagementContext, name: string) {
  const account = await saveName(context.control, accountIn(context).id, name.trim());
  if (!account) throw noSession('');
  return describeAccount(account);
}

export async function ownSessions(context: ManagementContext) {
  const sessions = await listSessions(context.control, accountIn(context).id);
  return sessions.map((session) => ({ ...session, current: session.id === context.caller?.session?.id }));
}

/** Ends a session: it is refused from the next call on. */
export async function endOwnSession(context: ManagementContext, id: string): Promise<void> {
  if (!(await endSession(context.control, accountIn(context).id, id))) throw noSession(id);
}

/** Ends the session that the call was made with, or revokes its token. */
export async function signOut(context: ManagementContext): Promise<void> {
  const { session, token } = context.caller ?? {};
  const { id } = accountIn(context);
  if (session) await endSession(context.control, id, session.id);
  if (token) await deleteToken(context.control, id, token.id);
}

export async function signOutEverywhere(context: ManagementContext): Promise<void> {
  await endSessions(context.control, accountIn(context).id);
}
