import { Type } from 'typebox';
import { codeField as code, currentPasswordField } from '../one-time-secrets/index.ts';

const strict = { additionalProperties: false } as const;
const challenge = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'From the response to the sign-in.',
  examples: ['Vh3kQ9…'],
});
const password = Type.Optional(currentPasswordField);

export const challengeBody = Type.Object({ challenge }, strict);
export const secondStepBody = Type.Object({ challenge, code }, strict);
export const ownerBody = Type.Object({ password }, strict);
export const totpCodeBody = Type.Object({ code }, strict);
export const ownerCodeBody = Type.Object({ code, password }, strict);

export const totpSchema = Type.Object({
  secret: Type.String({ description: 'For typing into the app, base32.', examples: ['JBSWY3DPEHPK3PXP'] }),
  uri: Type.String({
    description: 'For a QR code.',
    examples: ['otpauth://totp/App:ada%40example.com?secret=JBSWY3DPEHPK3PXP&issuer=App'],
  }),
});
export const recoverySchema = Type.Object({
  recovery_codes: Type.Array(Type.String(), {
    description: 'Shown once; each can be used once.',
    examples: [['8f3k-2m9q', 'x7c4-p1za']],
  }),
});
export const factorsSchema = Type.Object({
  email: Type.Boolean({ description: 'A code is emailed at sign-in.' }),
  totp: Type.Boolean({ description: 'An authenticator app is required at sign-in.' }),
  recovery_codes: Type.Integer({ description: 'How many are left.', examples: [8] }),
});
