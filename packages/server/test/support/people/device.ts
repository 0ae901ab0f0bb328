import { createHash, createPrivateKey, sign } from 'node:crypto';
import type { CDPSession, Page } from 'playwright-core';
import type { TestBrowser } from '../browser.ts';

/** What a browser sends of a credential, made or used. */
export interface SentCredential {
  readonly id: string;
  readonly response: Readonly<Record<string, string>>;
  readonly [more: string]: unknown;
}

type Options = Record<string, unknown>;

/** A key as the device keeps it. */
interface DeviceKey {
  readonly credentialId: string;
  readonly privateKey: string;
  readonly userHandle: string;
  readonly rpId: string;
  readonly signCount: number;
}

/** Somebody's browser with an authenticator, which finds its owner's finger unless told otherwise. */
export interface Device {
  readonly page: Page;
  goTo(origin: string): Promise<void>;
  /** `navigator.credentials.create` on the page. */
  create(options: Options): Promise<SentCredential>;
  /** `navigator.credentials.get` on the page. */
  get(options: Options): Promise<SentCredential>;
  keys(): Promise<DeviceKey[]>;
  /** Whether it is the owner's finger. */
  setOwnerPresent(isPresent: boolean): Promise<void>;
}

const makesOptions = {
  create: 'PublicKeyCredential.parseCreationOptionsFromJSON',
  get: 'PublicKeyCredential.parseRequestOptionsFromJSON',
};

/** Opens a browser window with an authenticator of its own, on a page of that origin. */
export async function openDevice(browser: TestBrowser, origin: string, verifies = true): Promise<Device> {
  const page = await browser.openPage();
  await page.goto(`${origin}/`);
  const devtools = await page.context().newCDPSession(page);
  const authenticatorId = await addAuthenticator(devtools, verifies);
  const ask = (kind: 'create' | 'get') => (options: Options) =>
    page.evaluate<SentCredential>(
      `navigator.credentials.${kind}({ publicKey: ${makesOptions[kind]}(${JSON.stringify(options)}) })
        .then((credential) => credential.toJSON())`,
    );
  return {
    page,
    goTo: async (to) => {
      await page.goto(`${to}/`);
    },
    create: ask('create'),
    get: ask('get'),
    keys: async () => {
      const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId });
      return credentials as DeviceKey[];
    },
    setOwnerPresent: async (isUserVerified) => {
      await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
    },
  };
}

async function addAuthenticator(devtools: CDPSession, verifies: boolean): Promise<string> {
  await devtools.send('WebAuthn.enable');
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: verifies,
      isUserVerified: verifies,
      automaticPresenceSimulation: true,
    },
  });
  return authenticatorId;
}

interface Forgery {
  readonly challenge: string;
  readonly origin: string;
  readonly signCount: number;
  readonly userHandle?: string;
  readonly clientData?: Record<string, unknown>;
  readonly rpId?: string;
  readonly isSignatureWrong?: boolean;
}

const present = 0x01;
const verified = 0x04;
const base64url = (bytes: string | Buffer) => Buffer.from(bytes).toString('base64url');
const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest();

/** A login signed with the key of a device by somebody who makes up the rest. */
export function forge(key: DeviceKey, forgery: Forgery): SentCredential {
  const { challenge, origin, signCount, rpId = key.rpId } = forgery;
  const clientData = JSON.stringify({ type: 'webauthn.get', challenge, origin, ...forgery.clientData });
  const head = Buffer.alloc(5);
  head[0] = present + verified;
  head.writeUInt32BE(signCount, 1);
  const authenticatorData = Buffer.concat([sha256(rpId), head]);
  const privateKey = createPrivateKey({
    key: Buffer.from(key.privateKey, 'base64'),
    format: 'der',
    type: 'pkcs8',
  });
  const signed = Buffer.concat([authenticatorData, sha256(clientData)]);
  const digest = privateKey.asymmetricKeyType === 'ed25519' ? null : 'sha256';
  const signature = sign(digest, forgery.isSignatureWrong ? sha256(signed) : signed, privateKey);
  const id = base64url(Buffer.from(key.credentialId, 'base64'));
  return {
    id,
    rawId: id,
    type: 'public-key',
    clientExtensionResults: {},
    response: {
      clientDataJSON: base64url(clientData),
      authenticatorData: base64url(authenticatorData),
      signature: base64url(signature),
      userHandle: forgery.userHandle ?? base64url(Buffer.from(key.userHandle, 'base64')),
    },
  };
}
