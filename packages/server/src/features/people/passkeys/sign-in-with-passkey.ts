import type { Answer, RequestContext } from '../../../calls/index.ts';
import { type Admission, limitTries, signInOf, startSession } from '../sessions/index.ts';
import { newChallenge, takeChallenge } from './challenges.ts';
import type { PasskeyDeps } from './deps.ts';
import { invalidPasskey } from './errors.ts';
import type { PasskeyUse } from './passkey.ts';
import type { RelyingParty } from './relying-party.ts';
import type { SignInBody } from './schemas.ts';
import { findPasskey, noteUse } from './store.ts';
import { checkAssertion, requestOptions } from './webauthn.ts';

const use = { purpose: 'login', userId: null } as const;

/** Begins a sign-in. Nobody is named, so it reveals nothing about who is a user. */
export async function beginSignIn(
  { users }: PasskeyDeps,
  context: RequestContext,
  relyingParty: RelyingParty,
) {
  await limitTries(users, context);
  return requestOptions(relyingParty, await newChallenge(context, use, relyingParty));
}

/** Checks what a device has signed. */
export async function checkPasskey(
  { users }: PasskeyDeps,
  context: RequestContext,
  { response }: SignInBody,
): Promise<PasskeyUse> {
  await limitTries(users, context);
  const taken = await takeChallenge(context, use, response.response.clientDataJSON);
  const passkey = await findPasskey(context.db, { id: response.id, rpId: taken.rpId });
  if (!passkey) throw invalidPasskey();
  const { newCounter, credentialBackedUp } = await checkAssertion(context, { response, passkey }, taken);
  return { id: passkey.id, userId: passkey.userId, signCount: newCounter, backedUp: credentialBackedUp };
}

/** Signs in whoever used the passkey. It is two factors, a device and a finger or PIN: no second step is asked for. */
export async function signInWithPasskey(
  { users }: PasskeyDeps,
  context: RequestContext,
  passkey: PasskeyUse,
  admission: Admission,
): Promise<Answer> {
  return context.db.transaction(async (db) => {
    const inside = { ...context, db };
    const proven = await signInOf(inside, passkey.userId, 'passkey');
    const answer = await startSession(users, inside, proven, { admission });
    if (!(await noteUse(db, passkey))) throw invalidPasskey();
    return answer;
  });
}
