import { Type } from 'typebox';
import { password } from '../app-users/index.ts';

const strict = { additionalProperties: false } as const;
const token = Type.String({ minLength: 1, maxLength: 200, description: 'From the link that was mailed.' });
const code = Type.String({ minLength: 1, maxLength: 40 });
const challenge = Type.String({ minLength: 1, maxLength: 200, description: 'From the answer to login.' });
const phone = Type.String({
  minLength: 1,
  maxLength: 40,
  description: 'With country code: +49 170 1234567.',
});
const givenPassword = Type.String({
  maxLength: 256,
  description: 'The current password, for users who have one.',
});

export const tokenBody = Type.Object({ token }, strict);
export const emailBody = Type.Object({ email: Type.String({ minLength: 3, maxLength: 254 }) }, strict);
export const resetBody = Type.Object({ token, new_password: password }, strict);
export const challengeBody = Type.Object({ challenge }, strict);
export const secondStepBody = Type.Object({ challenge, code }, strict);
export const sendCodeBody = Type.Object(
  {
    phone,
    channel: Type.Optional(
      Type.Union([Type.Literal('sms'), Type.Literal('email')], {
        description: 'Default: `sms` where the project has a gateway for it, else `email`.',
      }),
    ),
  },
  strict,
);
export const phoneCodeBody = Type.Object({ phone, code }, strict);
export const verifyPhoneBody = Type.Object({ phone, code, password: Type.Optional(givenPassword) }, strict);
export const exchangeBody = Type.Object(
  {
    code: Type.String({ minLength: 1, maxLength: 200 }),
    redirect_uri: Type.String({ minLength: 1, maxLength: 2000 }),
    code_verifier: Type.Optional(Type.String({ minLength: 43, maxLength: 128 })),
  },
  strict,
);
export const ownerBody = Type.Object({ password: Type.Optional(givenPassword) }, strict);
export const totpCodeBody = Type.Object({ code }, strict);
export const ownerCodeBody = Type.Object({ code, password: Type.Optional(givenPassword) }, strict);

export const sentSchema = Type.Object({ sent: Type.Literal(true) });
export const totpSchema = Type.Object({
  secret: Type.String({ description: 'For typing into the app, base32.' }),
  uri: Type.String({ description: 'For a QR code: otpauth://totp/…' }),
});
export const recoverySchema = Type.Object({
  recovery_codes: Type.Array(Type.String(), { description: 'Shown once; each lets the user in once.' }),
});
export const factorsSchema = Type.Object({
  email: Type.Boolean({ description: 'A code is mailed at login.' }),
  totp: Type.Boolean({ description: 'An authenticator app is asked at login.' }),
  recovery_codes: Type.Integer({ description: 'How many are left.' }),
});
