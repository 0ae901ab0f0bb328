import { createHash } from 'node:crypto';
import { sha256 } from '../../platform/secrets.ts';
import { type Login, limitTries, loginOf } from '../app-users/index.ts';
import type { RequestContext } from '../projects/index.ts';
import { invalidToken } from './errors.ts';
import { newToken } from './secrets.ts';
import type { AuthFlowServices } from './services.ts';
import { insertToken, takeToken } from './store.ts';

const lastsS = 120;

interface Target {
  readonly redirectUri: string;
  /** PKCE, S256: whoever trades the code shows what this was made of. */
  readonly codeChallenge?: string | undefined;
}

/** A code with which an app gets the token of a user who signed in on a page of ours: tokens never travel in URLs. */
export async function issueSignInCode(
  { db }: RequestContext,
  { user, method, passwordHash }: Login,
  { redirectUri, codeChallenge = '' }: Target,
): Promise<string> {
  const code = newToken();
  const boundTo = JSON.stringify([redirectUri, codeChallenge, method]);
  const passwordMark = sha256(passwordHash ?? '');
  const isKept = await insertToken(db, {
    hash: sha256(code),
    purpose: 'sign-in',
    userId: user.id,
    boundTo,
    lastsS,
    passwordMark,
  });
  if (!isKept) throw invalidToken();
  return code;
}

/** The user behind the code. It is used up whatever comes of it: outside a transaction. */
export async function takeSignInCode(
  services: AuthFlowServices,
  context: RequestContext,
  given: { code: string; redirect_uri: string; code_verifier?: string },
): Promise<Login> {
  await limitTries(services.users, context);
  const used = await takeToken(context.db, sha256(given.code), 'sign-in');
  if (!used) throw invalidToken();
  const [redirectUri, codeChallenge, method] = JSON.parse(used.boundTo) as [string, string, string];
  if (redirectUri !== given.redirect_uri) throw invalidToken();
  if (codeChallenge !== '' && challengeOf(given.code_verifier ?? '') !== codeChallenge) throw invalidToken();
  return loginOf(context, used.userId, method);
}

function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}
