import { createHash } from 'node:crypto';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { RequestContext } from '../../../calls/index.ts';
import { invalidToken, keepToken, newToken, passwordMarkOf, takeToken } from '../one-time-secrets/index.ts';
import { limitTries, type SessionDeps, signInOf } from '../sessions/index.ts';
import { type SignIn } from '../user-records/index.ts';

const lastsS = 120;

interface Target {
  readonly redirectUri: string;
  /** PKCE, S256: whoever trades the code shows what this was made of. */
  readonly codeChallenge?: string | undefined;
}

/** Where the code may be traded (`redirectUri`, `codeChallenge`), and how the user has signed in. */
const bindingSchema = Type.Tuple([Type.String(), Type.String(), Type.String()]);

/** A code with which an app gets the token of a user who signed in on a page of ours: tokens never travel in URLs. */
export async function issueSignInCode(
  { db }: RequestContext,
  { user, method, passwordHash }: SignIn,
  { redirectUri, codeChallenge = '' }: Target,
): Promise<string> {
  const code = newToken();
  const isKept = await keepToken(db, {
    token: code,
    purpose: 'sign-in',
    userId: user.id,
    boundTo: JSON.stringify([redirectUri, codeChallenge, method]),
    lastsS,
    passwordMark: passwordMarkOf(passwordHash),
  });
  if (!isKept) throw invalidToken();
  return code;
}

/** The user behind the code. It is used up whatever comes of it, so call this outside a transaction. */
export async function takeSignInCode(
  users: SessionDeps,
  context: RequestContext,
  given: { code: string; redirect_uri: string; code_verifier?: string },
): Promise<SignIn> {
  await limitTries(users, context);
  const used = await takeToken(context.db, given.code, 'sign-in');
  if (!used) throw invalidToken();
  const [redirectUri, codeChallenge, method] = Value.Parse(bindingSchema, JSON.parse(used.boundTo));
  if (redirectUri !== given.redirect_uri) throw invalidToken();
  if (codeChallenge !== '' && challengeOf(given.code_verifier ?? '') !== codeChallenge) throw invalidToken();
  return signInOf(context, used.userId, method);
}

function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}
