import { accountIn, type ManagementContext } from '../../../calls/management/index.ts';
import type { ControlDb } from '../../../platform/db/control-db.ts';
import { countTries, emailKey } from '../../people/index.ts';
import { findAccount, lockProofs, markVerified } from './account-store.ts';
import type { AccountDeps } from './deps.ts';
import { alreadyVerified, noMail } from './errors.ts';
import { countRecentLinks } from './link-store.ts';
import { linkFor, takeLink } from './links.ts';

/** Verification emails to one address per hour. More are not sent. @limit - */
const mostMails = 5;

/** Mails a link that shows the address to be theirs. Call it in a transaction. */
export async function sendVerification(
  { mails }: Pick<AccountDeps, 'mails'>,
  control: ControlDb,
  accountId: string,
): Promise<void> {
  const account = await findAccount(control, accountId);
  const proofs = await lockProofs(control, accountId);
  if (!account || !proofs) return;
  const link = await linkFor(control, 'verify', proofs);
  await mails.send(control, { letter: 'verify', to: account.email, page: 'verify', ...link });
}

/** Mails the link again. */
export async function askForVerification(deps: AccountDeps, context: ManagementContext): Promise<void> {
  const { id } = accountIn(context);
  await countTries(deps.tries, { address: context.from.address, whose: `accounts:${id}` });
  if ((await findAccount(context.control, id))?.isVerified) throw alreadyVerified();
  if (!deps.mails.canSend) throw noMail();
  if ((await countRecentLinks(context.control, emailKey(accountIn(context).email), 'verify')) >= mostMails)
    return;
  await sendVerification(deps, context.control, id);
}

/** Takes the token of a mailed link. Returns the account. */
export async function verifyEmail({ control }: ManagementContext, token: string): Promise<string> {
  const { id } = await takeLink(control, token, 'verify');
  await markVerified(control, id);
  return id;
}
