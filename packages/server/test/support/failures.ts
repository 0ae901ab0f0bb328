import { expect } from 'vitest';

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

declare module 'vitest' {
  interface Matchers<R> {
    /** The answer has this status, is of the one form that failures have, and names this code. */
    toFailWith(status: number, code: string): R;
  }
}

const text = expect.stringMatching(/./);

expect.extend({
  toFailWith({ status, body }: Answer, wantedStatus: number, wantedCode: string) {
    const actual = { status, body };
    const expected = {
      status: wantedStatus,
      body: {
        success: false,
        error: expect.objectContaining({ code: wantedCode, message: text, requestId: text }),
      },
    };
    return {
      pass: this.equals(actual, expected),
      message: () =>
        `expected the answer ${this.isNot ? 'not ' : ''}to fail with ${wantedStatus} ${wantedCode}, got ${status} ${this.utils.stringify(body)}`,
      actual,
      expected,
    };
  },
});
