import type { AuthCalls } from './auth-calls.ts';

/** What a login asks for after the password. */
export interface SecondSteps {
  /** A mailed code. */
  readonly email: boolean;
  /** A code of an authenticator app. */
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

  /** Begins: show `uri` as a QR code and `secret` for typing, then `confirm` the first code. */
  setUp(password?: string): Promise<{ secret: string; uri: string }> {
    return this.#calls.post('/2fa/totp/setup', { password });
  }

  /** From now on a login needs a code. The recovery codes are shown once: each stands for a code. */
  async confirm(code: string): Promise<{ recoveryCodes: string[] }> {
    return codesOf(await this.#calls.post('/2fa/totp/confirm', { code }));
  }

  /** Makes new recovery codes; those of before are over. */
  async renewRecoveryCodes(proof: { code: string; password?: string }): Promise<{ recoveryCodes: string[] }> {
    return codesOf(await this.#calls.post('/2fa/recovery-codes', proof));
  }

  async remove(proof: { code: string; password?: string }): Promise<void> {
    await this.#calls.post('/2fa/totp/remove', proof);
  }

  /** Codes by mail, where the project leaves that to its users. */
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
