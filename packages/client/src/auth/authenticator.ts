import type { AuthCalls } from './auth-calls.ts';

/** The second steps that a login requires. */
export interface SecondSteps {
  /** An emailed code. */
  readonly email: boolean;
  /** A code from an authenticator app. */
  readonly totp: boolean;
  /** How many recovery codes are left. */
  readonly recoveryCodes: number;
}

interface SecondStepsAnswer {
  readonly email: boolean;
  readonly totp: boolean;
  readonly recovery_codes: number;
}

/** Codes as a second step of the login. */
export class Authenticator {
  readonly #calls: AuthCalls;

  constructor(calls: AuthCalls) {
    this.#calls = calls;
  }

  async status(): Promise<SecondSteps> {
    return read(await this.#calls.send<SecondStepsAnswer>({ method: 'GET', path: '/2fa' }));
  }

  /** Starts the setup: show `uri` as a QR code and `secret` for typing, then `confirm` the first code. */
  setUp(password?: string): Promise<{ secret: string; uri: string }> {
    return this.#calls.post('/2fa/totp/setup', { password });
  }

  /** From now on, a login requires a code. The recovery codes are only shown once; each replaces a code once. */
  async confirm(code: string): Promise<{ recoveryCodes: string[] }> {
    return codesOf(await this.#calls.post('/2fa/totp/confirm', { code }));
  }

  /** Creates new recovery codes; earlier ones are no longer valid. */
  async renewRecoveryCodes(proof: { code: string; password?: string }): Promise<{ recoveryCodes: string[] }> {
    return codesOf(await this.#calls.post('/2fa/recovery-codes', proof));
  }

  async remove(proof: { code: string; password?: string }): Promise<void> {
    await this.#calls.post('/2fa/totp/remove', proof);
  }

  /** Turns emailed codes on or off, if the project lets its users choose. */
  async setMailedCodes(isOn: boolean): Promise<SecondSteps> {
    return read(await this.#calls.post<SecondStepsAnswer>(isOn ? '/2fa/enable' : '/2fa/disable', {}));
  }
}

const read = ({ email, totp, recovery_codes: recoveryCodes }: SecondStepsAnswer): SecondSteps => ({
  email,
  totp,
  recoveryCodes,
});
const codesOf = ({ recovery_codes: recoveryCodes }: { recovery_codes: string[] }) => ({ recoveryCodes });
