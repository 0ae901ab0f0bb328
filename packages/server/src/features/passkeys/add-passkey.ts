import { limitTries, lockOwnLoginWays, requireOwner, signedIn } from '../app-users/index.ts';
import { deviceName } from '../messages/index.ts';
import type { RequestContext } from '../projects/index.ts';
import { newChallenge, takeChallenge } from './challenges.ts';
import { invalidPasskey, tooManyPasskeys } from './errors.ts';
import type { NewPasskey, Passkey } from './passkey.ts';
import type { RelyingParty } from './relying-party.ts';
import type { RegisterBody } from './schemas.ts';
import type { PasskeyServices } from './services.ts';
import { countPasskeys, insertPasskey, listCredentials } from './store.ts';
import { checkCreation, creationOptions } from './webauthn.ts';

const passkeysPerUser = 20;

/** Begins to add a passkey, for the owner of the account. */
export async function beginAdding(
  { users }: PasskeyServices,
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
  { users }: PasskeyServices,
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
    await lockOwnLoginWays({ ...context, db });
    if ((await countPasskeys(db, id)) >= passkeysPerUser) throw tooManyPasskeys(passkeysPerUser);
    const added = await insertPasskey(db, passkey);
    if (!added) throw invalidPasskey();
    return added;
  });
}
