import { randomUUID } from 'node:crypto';
import { ok } from '../../../calls/index.ts';
import {
  type ManagementAnswer,
  type ManagementContext,
  sessionCookie,
} from '../../../calls/management/index.ts';
import { sha256 } from '../../../platform/crypto/secrets.ts';
import { deviceName } from '../../../platform/http/device-name.ts';
import { countTries, emailKey, newToken } from '../../people/index.ts';
import { describeAccount } from './account.ts';
import { findAccount, findProofsByEmail, lockProofs, type Proofs } from './account-store.ts';
import { proveSecondFactor } from './authenticator.ts';
import type { AccountDeps } from './deps.ts';
import { wrongSignIn } from './errors.ts';
import { takeLink } from './links.ts';
import { endSession, insertSession } from './session-store.ts';

/** Sessions of one account. @limit - */
const mostSessions = 50;

/** The account of an e-mail, a password and, where there is one, a second factor. */
export async function checkSignIn(
  deps: AccountDeps,
  { control, from }: ManagementContext,
  given: { email: string; password: string; code?: string },
): Promise<Proofs> {
  const key = emailKey(given.email);
  await countTries(deps.tries, { address: from.address, whose: `accounts:${key}` });
  const proofs = await findProofsByEmail(control, key);
  const isRight = await deps.passwords.verify('accounts', given.password, proofs?.passwordHash ?? undefined);
  if (!isRight || !proofs) throw wrongSignIn();
  await proveSecondFactor(deps, control, proofs, given.code);
  return proofs;
}

/** Signs in with a link that was printed for whoever runs the deployment, or was mailed. */
export async function signInByLink(context: ManagementContext, token: string): Promise<ManagementAnswer> {
  const { id } = await takeLink(context.control, token, 'sign-in');
  return startSession(context, id, 'link');
}

/** Signs in whoever has shown who they are, unless the password has changed meanwhile. */
export async function signIn(context: ManagementContext, proven: Proofs): Promise<ManagementAnswer> {
  const now = await lockProofs(context.control, proven.id);
  if (!now || now.passwordHash !== proven.passwordHash) throw wrongSignIn();
  return startSession(context, proven.id, 'password');
}

/** Starts a session, in place of the one that the browser had. Its cookie is the only place where its token is. */
export async function startSession(
  context: ManagementContext,
  accountId: string,
  method: string,
  status: 200 | 201 = 200,
): Promise<ManagementAnswer> {
  const { control, caller, from } = context;
  const account = await findAccount(control, accountId);
  if (!account) throw wrongSignIn();
  if (caller?.session) await endSession(control, caller.account.id, caller.session.id);
  const token = newToken();
  const session = {
    id: randomUUID(),
    accountId,
    hash: sha256(token),
    method,
    device: deviceName(from.userAgent) ?? 'a program',
    address: from.address,
  };
  await insertSession(control, session, mostSessions);
  return {
    ...ok(describeAccount(account)),
    status,
    headers: { 'Set-Cookie': sessionCookie(token, context.isPlain) },
    audit: { accountId, target: session.id, details: { method } },
  };
}
