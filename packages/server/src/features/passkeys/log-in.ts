import type { Answer } from '../../platform/http/answer.ts';
import { limitTries, loginOf, startSession } from '../app-users/index.ts';
import type { RequestContext } from '../projects/index.ts';
import { newChallenge, takeChallenge } from './challenges.ts';
import { invalidPasskey } from './errors.ts';
import type { PasskeyUse } from './passkey.ts';
import type { RelyingParty } from './relying-party.ts';
import type { LogInBody } from './schemas.ts';
import type { PasskeyServices } from './services.ts';
import { findPasskey, noteUse } from './store.ts';
import { checkAssertion, requestOptions } from './webauthn.ts';

const use = { purpose: 'login', userId: null } as const;

/** Begins a login. Nobody is named, so that nothing is told about accounts. */
export async function beginLogin(
  { users }: PasskeyServices,
  context: RequestContext,
  relyingParty: RelyingParty,
) {
  await limitTries(users, context);
  return requestOptions(relyingParty, await newChallenge(context, use, relyingParty));
}

/** Checks what a device has signed. */
export async function checkPasskey(
  { users }: PasskeyServices,
  context: RequestContext,
  { response }: LogInBody,
): Promise<PasskeyUse> {
  await limitTries(users, context);
  const taken = await takeChallenge(context, use, response.response.clientDataJSON);
  const passkey = await findPasskey(context.db, { id: response.id, rpId: taken.rpId });
  if (!passkey) throw invalidPasskey();
  const { newCounter, credentialBackedUp } = await checkAssertion(context, { response, passkey }, taken);
  return { id: passkey.id, userId: passkey.userId, signCount: newCounter, backedUp: credentialBackedUp };
}

/** Signs in whoever used the passkey. It is two factors, a device and a finger or PIN: no second step is asked for. */
export async function logIn(
  { users }: PasskeyServices,
  context: RequestContext,
  passkey: PasskeyUse,
): Promise<Answer> {
  return context.db.transaction(async (db) => {
    const inside = { ...context, db };
    const answer = await startSession(users, inside, await loginOf(inside, passkey.userId, 'passkey'));
    if (!(await noteUse(db, passkey))) throw invalidPasskey();
    return answer;
  });
}
