import { type Static, type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Project } from '../../../calls/index.ts';
import { invalidSetting, type ProjectSecrets } from '../../control/index.ts';

const address = Type.String({ pattern: '^[^\\s@<>]+@[^\\s@<>]+$', maxLength: 254 });

/** A project's own mail server. */
const mailSettings = Type.Object(
  {
    host: Type.String({ minLength: 1, maxLength: 253 }),
    port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535 })),
    /** `implicit` from the first byte on, `starttls` (the default), or `none`, which also sends the password in clear. */
    tls: Type.Optional(
      Type.Union([Type.Literal('implicit'), Type.Literal('starttls'), Type.Literal('none')]),
    ),
    user: Type.Optional(Type.String({ maxLength: 320 })),
    password: Type.Optional(Type.String({ maxLength: 1000 })),
    from: address,
    reply_to: Type.Optional(address),
  },
  { additionalProperties: false },
);

const webhook = Type.Object(
  {
    kind: Type.Literal('webhook'),
    url: Type.String({ pattern: '^https?://' }),
    /** Signs the calls, so that the receiver knows who makes them. */
    secret: Type.String({ minLength: 16, maxLength: 200 }),
  },
  { additionalProperties: false },
);

const twilio = Type.Object(
  {
    kind: Type.Literal('twilio'),
    account_sid: Type.String({ pattern: '^[A-Za-z0-9]{1,64}$' }),
    auth_token: Type.String({ minLength: 1, maxLength: 200 }),
    from: Type.String({ minLength: 1, maxLength: 40 }),
    /** A gateway that speaks as Twilio does. */
    base_url: Type.Optional(Type.String({ pattern: '^https?://[^?#]+$' })),
  },
  { additionalProperties: false },
);

/** A project's gateway for text messages. */
const smsSettings = Type.Union([webhook, twilio]);

export type MailSettings = Static<typeof mailSettings>;
export type SmsSettings = Static<typeof smsSettings>;

/** The project's own mail server; undefined: it has none. */
export async function findMailSettings(
  secrets: ProjectSecrets,
  project: Project,
): Promise<MailSettings | undefined> {
  const value = await secrets.find(project, 'mail');
  return value === undefined ? undefined : checkMailSettings(value);
}

/** The project's gateway for text messages; undefined: it has none. */
export async function findSmsSettings(
  secrets: ProjectSecrets,
  project: Project,
): Promise<SmsSettings | undefined> {
  const value = await secrets.find(project, 'sms');
  return value === undefined ? undefined : checkSmsSettings(value);
}

/** Checks what an operator wants to set; says what is wrong. */
export function checkMailSettings(value: unknown): MailSettings {
  if (Value.Check(mailSettings, value)) return value;
  throw invalidSetting(
    'mail',
    `Mail settings must be {"host", "port"?, "tls"? (starttls, implicit or none), "user"?, "password"?, "from", "reply_to"?}. ${problem(mailSettings, value)}`,
  );
}

export function checkSmsSettings(value: unknown): SmsSettings {
  if (Value.Check(smsSettings, value)) return value;
  const kind = typeof value === 'object' && value !== null && 'kind' in value ? value.kind : undefined;
  if (kind !== 'webhook' && kind !== 'twilio')
    throw invalidSetting('sms', '"kind" must be webhook or twilio.');
  const [schema, form] =
    kind === 'twilio'
      ? [twilio, '{"kind": "twilio", "account_sid", "auth_token", "from", "base_url"?}']
      : [webhook, '{"kind": "webhook", "url", "secret" (16 characters or more)}'];
  throw invalidSetting('sms', `Text message settings must be ${form}. ${problem(schema, value)}`);
}

/** Where and what is wrong, never the value: it may be a password. */
function problem(schema: TSchema, value: unknown): string {
  const [first] = Value.Errors(schema, value);
  if (!first) return '';
  const path = first.instancePath.slice(1);
  return path === '' ? `It ${first.message}.` : `"${path}" is not valid.`;
}
