import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { RequestContext } from '../../../calls/index.ts';
import { challengeLastsS, type TakenChallenge } from './challenges.ts';
import { invalidPasskey } from './errors.ts';
import type { PasskeyProof } from './passkey.ts';
import type { RelyingParty } from './relying-party.ts';

/** Loaded with the first passkey: it takes a tenth of a second, and many nodes never see one. */
const load = () => import('@simplewebauthn/server');

/** Ed25519, ECDSA with P-256, RSA: one of them is in every device. */
const algorithms = [-8, -7, -257];
const timeout = challengeLastsS * 1000;

/** Why something is refused goes to the log. */
type Logging = Pick<RequestContext, 'log'>;

/** Who a new passkey is for, as a device shows it. */
export interface PasskeyOwner {
  readonly id: string;
  readonly email: string;
  readonly projectName: string;
  /** The passkeys the user has, so that no device makes a second one. */
  readonly credentials: { id: string; transports: string[] }[];
}

/** What a browser needs to make a passkey: one that needs no user name, and asks its owner for a finger or PIN. */
export async function creationOptions(
  { id, email, projectName, credentials }: PasskeyOwner,
  { rpId }: RelyingParty,
  challenge: Uint8Array<ArrayBuffer>,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await load();
  return generateRegistrationOptions({
    rpName: projectName,
    rpID: rpId,
    userID: new Uint8Array(userHandle(id)),
    userName: email,
    userDisplayName: email,
    challenge,
    timeout,
    attestationType: 'none',
    excludeCredentials: credentials,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: algorithms,
  });
}

/** What a browser needs to sign in with whichever passkey the person chooses. */
export async function requestOptions(
  { rpId }: RelyingParty,
  challenge: Uint8Array<ArrayBuffer>,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await load();
  return generateAuthenticationOptions({ rpID: rpId, challenge, timeout, userVerification: 'required' });
}

/** Checks the passkey that a device has made. */
export async function checkCreation(
  context: Logging,
  response: RegistrationResponseJSON,
  taken: TakenChallenge,
) {
  const { verifyRegistrationResponse } = await load();
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  return orInvalid(context, async () => {
    const attestation = decodeAttestationObject(
      new Uint8Array(Buffer.from(response.response.attestationObject, 'base64url')),
    );
    // A browser sends no certificates unless asked, and a stranger's could name addresses for us to look up.
    const isOwnWord = attestation.get('fmt') === 'none' || attestation.get('fmt') === 'packed';
    if (!isOwnWord || attestation.get('attStmt').get('x5c') !== undefined) return undefined;
    const { registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: taken.challenge,
      expectedOrigin: taken.origin,
      expectedRPID: taken.rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    });
    return registrationInfo;
  });
}

/** Checks that a device has signed the challenge with this passkey, for its owner. */
export async function checkAssertion(
  context: Logging,
  { response, passkey }: { response: AuthenticationResponseJSON; passkey: PasskeyProof },
  taken: TakenChallenge,
) {
  const { verifyAuthenticationResponse } = await load();
  return orInvalid(context, async () => {
    const named = Buffer.from(response.response.userHandle ?? '', 'base64url');
    if (!named.equals(userHandle(passkey.userId))) return undefined;
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: taken.challenge,
      expectedOrigin: taken.origin,
      expectedRPID: taken.rpId,
      credential: {
        id: passkey.id,
        publicKey: new Uint8Array(passkey.publicKey),
        counter: passkey.signCount,
      },
      requireUserVerification: true,
    });
    return verified ? authenticationInfo : undefined;
  });
}

/** What a device keeps of a user: the bytes of its id. */
function userHandle(userId: string): Buffer {
  return Buffer.from(userId.replaceAll('-', ''), 'hex');
}

/** Whatever a check throws is about what the caller sent. */
async function orInvalid<Checked>(
  { log }: Logging,
  check: () => Promise<Checked | undefined>,
): Promise<Checked> {
  let reason = 'it does not belong to the user, or is not signed by its key';
  try {
    const checked = await check();
    if (checked !== undefined) return checked;
  } catch (error) {
    reason = (error instanceof Error ? error.message : String(error)).slice(0, 300);
  }
  log.info({ reason }, 'a passkey was not accepted');
  throw invalidPasskey();
}
