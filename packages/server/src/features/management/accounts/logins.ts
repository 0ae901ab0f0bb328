import { accountIn, type ManagementContext } from '../../../calls/management/index.ts';
import { lockProofs } from './account-store.ts';
import { loginPending, noSession } from './errors.ts';
import { keepLogin, takeLink } from './links.ts';
import { makePersonalToken } from './personal-tokens.ts';

/**
 * A program that logs in makes up a secret and shows a person its hash. Nothing is kept of it until somebody who is
 * signed in approves the hash; then whoever has the secret gets a token, once.
 */
export async function approveLogin(context: ManagementContext, request: string): Promise<void> {
  const owner = await lockProofs(context.control, accountIn(context).id);
  if (!owner) throw noSession('');
  await keepLogin(context.control, Buffer.from(request, 'base64url'), owner);
}

/** How long a login lasts. */
const days = 90;

/** Gives a program that was approved its token. */
export async function takeLogin(
  { control }: ManagementContext,
  { secret, name }: { secret: string; name: string },
) {
  const { id: accountId } = await takeLink(control, secret, 'login', loginPending);
  const wish = { name, access: 'write', projectIds: null, days } as const;
  return { accountId, made: await makePersonalToken(control, accountId, wish) };
}
