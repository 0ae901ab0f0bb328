import { type Static, Type } from 'typebox';
import { codeField as code, currentPasswordField } from '../one-time-secrets/index.ts';

const strict = { additionalProperties: false } as const;
const phone = Type.String({
  minLength: 1,
  maxLength: 40,
  description: 'With country code: `+49 170 1234567`.',
  examples: ['+49 170 1234567'],
});

/** How a code reaches its receiver. */
export const channelSchema = Type.Union([Type.Literal('sms'), Type.Literal('email')], {
  description: 'Default: `sms` where the project has a gateway for it, else `email`.',
});

export type Channel = Static<typeof channelSchema>;

export const sendCodeBody = Type.Object({ phone, channel: Type.Optional(channelSchema) }, strict);
export const phoneCodeBody = Type.Object({ phone, code }, strict);
export const verifyPhoneBody = Type.Object(
  { phone, code, password: Type.Optional(currentPasswordField) },
  strict,
);
