import type { RequestContext } from '../../../calls/index.ts';
import { deviceName } from '../../../platform/http/device-name.ts';
import { requireOwner } from '../passwords/index.ts';
import { limitTries, lockOwnSignInMethods, signedIn } from '../sessions/index.ts';
import { newChallenge, takeChallenge } from './challenges.ts';
import type { PasskeyDeps } from './deps.ts';
import { invalidPasskey, tooManyPasskeys } from './errors.ts';
import type { NewPasskey, Passkey } from './passkey.ts';
import type { RelyingParty } from './relying-party.ts';
import type { RegisterBody } from './schemas.ts';
import { countPasskeys, insertPasskey, listCredentials } from './store.ts';
import { checkCreation, creationOptions } from './webauthn.ts';

const passkeysPerUser = 20;

/** Begins to add a passkey, for a user who can show more than a token. */
export async function beginAdding(
  { users }: PasskeyDeps,
  context: RequestContext,
  { relyingParty, password }: { relyingParty: RelyingParty; password?: string | undefined },
) {
  const { id, email } = signedIn(context);
  await requireOwner(users, context, password);
  if ((await countPasskeys(context.db, id)) >= passkeysPerUser) throw tooManyPasskeys(passkeysPerUser);
  const credentials = await listCredentials(context.db, { userId: id, rpId: relyingParty.rpId });
  const challenge = await newChallenge(context, { purpose: 'register', userId: id }, relyingParty);
  const owner = { id, email, projectName: context.project.name, credentials };
  return creationOptions(owner, relyingParty, challenge);
}

/** Checks what a device made of the options. */
export async function checkNewPasskey(
  { users }: PasskeyDeps,
  context: RequestContext,
  { response, name }: RegisterBody,
): Promise<NewPasskey> {
  const { id: userId } = signedIn(context);
  await limitTries(users, context, userId);
  const use = { purpose: 'register', userId } as const;
  const taken = await takeChallenge(context, use, response.response.clientDataJSON);
  const { credential, aaguid, credentialBackedUp } = await checkCreation(context, response, taken);
  return {
    id: credential.id,
    userId,
    publicKey: credential.publicKey,
    signCount: credential.counter,
    transports: credential.transports ?? [],
    name: name ?? deviceName(context.from.userAgent) ?? 'Passkey',
    aaguid,
    backedUp: credentialBackedUp,
    rpId: taken.rpId,
  };
}

/** Adds a passkey that was checked. */
export async function addPasskey(context: RequestContext, passkey: NewPasskey): Promise<Passkey> {
  const { id } = signedIn(context);
  return context.db.transaction(async (db) => {
    await lockOwnSignInMethods({ ...context, db });
    if ((await countPasskeys(db, id)) >= passkeysPerUser) throw tooManyPasskeys(passkeysPerUser);
    const added = await insertPasskey(db, passkey);
    if (!added) throw invalidPasskey();
    return added;
  });
}
