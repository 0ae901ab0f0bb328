/** What users see of their passkeys. */
export interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly backedUp: boolean;
}

/** A passkey that a device has made, checked. */
export interface NewPasskey {
  readonly id: string;
  readonly userId: string;
  readonly publicKey: Uint8Array;
  readonly signCount: number;
  readonly transports: readonly string[];
  readonly name: string;
  readonly aaguid: string;
  readonly backedUp: boolean;
  readonly rpId: string;
}

/** What a signature is checked against. */
export interface PasskeyProof {
  readonly id: string;
  readonly userId: string;
  readonly publicKey: Buffer;
  readonly signCount: number;
}

/** A sign-in with a passkey, checked. */
export interface PasskeyUse {
  readonly id: string;
  readonly userId: string;
  readonly signCount: number;
  readonly backedUp: boolean;
}

/** Which passkey of which user. */
export interface OwnPasskey {
  readonly id: string;
  readonly userId: string;
}
