/** What accounts see of their passkeys. */
export interface AccountPasskey {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly backedUp: boolean;
}

/** A passkey that a device has made, checked; and the challenge it was made for. */
export interface NewAccountPasskey {
  readonly challenge: string;
  readonly credentialId: string;
  readonly publicKey: Uint8Array;
  readonly signCount: number;
  readonly transports: readonly string[];
  readonly name: string;
  readonly aaguid: string;
  readonly backedUp: boolean;
  readonly rpId: string;
}

/** What a signature is checked against. */
export interface StoredKey {
  readonly id: string;
  readonly accountId: string;
  readonly publicKey: Buffer;
  readonly signCount: number;
}

/** A sign-in with a passkey, checked. */
export interface PasskeyUse {
  readonly challenge: string;
  readonly id: string;
  readonly accountId: string;
  readonly signCount: number;
  readonly backedUp: boolean;
}
