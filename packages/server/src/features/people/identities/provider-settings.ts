import { createPrivateKey } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { invalidSetting } from '../../control/index.ts';
import { isProviderName } from './provider.ts';

const text = Type.String({ minLength: 1, maxLength: 500, pattern: '^[\\x21-\\x7e]+$' });

const settingsSchema = Type.Object(
  {
    client_id: text,
    client_secret: Type.Optional(text),
    /** Where an OpenID Connect provider is found. */
    issuer: Type.Optional(text),
    /** A GitHub Enterprise server. */
    base_url: Type.Optional(text),
    /** The three that Apple gives instead of a secret. */
    team_id: Type.Optional(text),
    key_id: Type.Optional(text),
    private_key: Type.Optional(Type.String({ minLength: 1, maxLength: 5000 })),
    scopes: Type.Optional(Type.String({ minLength: 1, maxLength: 500, pattern: '^[\\x21-\\x7e ]+$' })),
  },
  { additionalProperties: false },
);

/** How a project is known at an identity provider. */
export type ProviderSettings = Static<typeof settingsSchema>;
type Setting = keyof ProviderSettings;

interface Kind {
  readonly needs: readonly Setting[];
  readonly takes: readonly Setting[];
}

const kinds = new Map<string, Kind>([
  ['google', { needs: ['client_id', 'client_secret'], takes: ['issuer', 'scopes'] }],
  ['apple', { needs: ['client_id', 'team_id', 'key_id', 'private_key'], takes: ['issuer', 'scopes'] }],
  ['github', { needs: ['client_id', 'client_secret'], takes: ['base_url', 'scopes'] }],
]);
const anyIssuer: Kind = { needs: ['client_id', 'issuer'], takes: ['client_secret', 'scopes'] };

/** Checks the settings of a provider, with messages for whoever wrote them. */
export function checkProviderSettings(name: string, value: unknown): ProviderSettings {
  if (!isProviderName(name)) {
    throw invalidSetting(
      'provider',
      `"${name}" is not a valid provider name: use 2 to 32 lowercase letters, digits and _, starting with a letter.`,
    );
  }
  const { needs, takes } = kinds.get(name) ?? anyIssuer;
  const given = isObject(value) ? value : {};
  const names = Object.keys(given);
  const missing = needs.find((setting) => !names.includes(setting));
  if (missing !== undefined)
    throw invalidSetting(
      'provider',
      `The provider ${name} needs ${needs.join(', ')}. ${missing} is missing.`,
    );
  const other = names.find((given) => ![...needs, ...takes].some((setting) => setting === given));
  if (other !== undefined) {
    throw invalidSetting(
      'provider',
      `The provider ${name} does not accept "${other}", only ${[...needs, ...takes].join(', ')}.`,
    );
  }
  const wrong = names
    .filter(isSetting)
    .find((setting) => !Value.Check(settingsSchema.properties[setting], given[setting]));
  if (wrong !== undefined || !Value.Check(settingsSchema, given))
    throw invalidSetting('provider', `"${wrong}" of the provider ${name} is not valid: ${hintFor(wrong)}`);
  checkUrl('issuer', given.issuer);
  checkUrl('base_url', given.base_url);
  checkAppleKey(given.private_key);
  return given;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const isSetting = (name: string): name is Setting => Object.hasOwn(settingsSchema.properties, name);

const hintFor = (setting: Setting | undefined): string =>
  setting === 'private_key' || setting === 'scopes'
    ? 'it must be a non-empty string.'
    : 'it must be a non-empty string without spaces.';

function checkUrl(setting: string, address: string | undefined): void {
  if (address === undefined) return;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isPlain =
    url &&
    /^https?:$/.test(url.protocol) &&
    !/[?#\\]/.test(address) &&
    url.username === '' &&
    url.password === '';
  if (!isPlain)
    throw invalidSetting('provider', `"${setting}" must be a plain URL, such as https://login.example.com.`);
}

function checkAppleKey(pem: string | undefined): void {
  if (pem === undefined) return;
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return;
  } catch {
    // Said below; the reason could quote the key.
  }
  throw invalidSetting(
    'provider',
    '"private_key" must be the content of the .p8 file from Apple, including its line breaks.',
  );
}
