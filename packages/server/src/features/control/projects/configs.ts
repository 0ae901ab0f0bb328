import type { ProjectRecord } from '../../../calls/index.ts';
import type { ControlDb } from '../../../platform/db/control-db.ts';
import { invalidSetting } from './errors.ts';
import { requireFound } from './find-project.ts';
import { removeConfig, saveConfig } from './store.ts';

interface Key<Value> {
  readonly fallback: Value;
  /** Reads a value from text; undefined if the text is not of that form. */
  readonly read: (text: string) => Value | undefined;
  readonly form: string;
}

interface DescribedKey<Value> extends Key<Value> {
  /** What it does, for people who set it. */
  readonly meaning: string;
  /** What a value leads to that its setter may not want. */
  readonly warning?: (value: unknown) => string | undefined;
}

const described = <Value>(
  key: Key<Value>,
  meaning: string,
  warning?: (value: unknown) => string | undefined,
): DescribedKey<Value> => ({ ...key, meaning, ...(warning && { warning }) });

const isPlainHttp = (value: unknown) =>
  typeof value === 'string' && /^http:\/\/(?!localhost|127\.0\.0\.1)/.test(value)
    ? 'Anyone who sees the traffic can read what is sent to a plain http address. Use https.'
    : undefined;

const boolean = (fallback: boolean): Key<boolean> => ({
  fallback,
  read: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
  form: 'true or false',
});

const integer = (fallback: number, from: number, to: number, form: string): Key<number> => ({
  fallback,
  read: (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    return value >= from && value <= to ? value : undefined;
  },
  form,
});

const address: Key<string | null> = {
  fallback: null,
  // It goes into mails as it is: nothing in it may break a line or be invisible.
  read: (text) => (/^https?:\/\/[^\s\p{C}]+$/u.test(text) && URL.canParse(text) ? text : undefined),
  form: 'an http(s) address',
};

const roles: Key<string | null> = {
  fallback: null,
  read: (text) =>
    text
      .split(',')
      .map((role) => role.trim())
      .filter(Boolean)
      .join(','),
  form: 'roles separated by commas',
};

const page = (meaning: string) => described(address, meaning, isPlainHttp);

/** The built-in configuration keys of a project. */
const keys = {
  JWT_EXPIRY_MINUTES: described(
    integer(2880, 1, 999_999_999, 'an integer number of minutes, 1 or more'),
    'How long the access token of an app user is valid, in minutes.',
    (value) => (Number(value) > 43_200 ? 'A stolen token would work for more than a month.' : undefined),
  ),
  REFRESH_TOKEN_DAYS: described(
    integer(30, 1, 3650, 'an integer number of days, 1 to 3650'),
    'How long an unused session stays valid, in days.',
  ),
  ENABLE_2FA: described(
    boolean(false),
    'After a correct password, a code is emailed that must be entered to complete the sign-in.',
  ),
  ENABLE_PHONE_LOGIN: described(
    boolean(false),
    'App users can sign in with a phone number and a code that is sent to them. Needs a text message gateway, or email.',
  ),
  ENABLE_EMAIL_VERIFICATION: described(
    boolean(false),
    'A verification email is sent on sign-up. Until the user confirms it, `email_verified` is false.',
  ),
  OTP_LENGTH: described(
    integer(6, 4, 10, 'an integer, 4 to 10'),
    'Number of digits of the codes that are sent.',
    (value) => (Number(value) < 6 ? 'Codes of fewer than 6 digits are easier to guess.' : undefined),
  ),
  ALLOWED_SELF_ROLES: described(
    roles,
    'Roles that app users can give themselves, separated by commas. Not set: any role. Empty: none.',
    (value) =>
      value === null ? 'Any app user can claim any role, so rules must not trust roles.' : undefined,
  ),
  SEND_WELCOME_EMAIL: described(boolean(true), 'A welcome email is sent on sign-up.'),
  FRONTEND_URL: page(
    'The address of the app. It appears in emails, and is used for the other addresses if they are not set.',
  ),
  VERIFICATION_URL: page(
    'The page that verification emails link to, with `?token=`. Not set: a page of this service.',
  ),
  VERIFICATION_SUCCESS_URL: page(
    'Where the browser is sent after an address was verified. Not set: a page of this service confirms it.',
  ),
  LOGIN_URL: page('The sign-in page of the app, for welcome and password emails.'),
  PASSWORD_RESET_URL: page(
    'The page that password emails link to, with `?token=`. Not set: a page of this service.',
  ),
};

const defaults = Object.fromEntries(Object.entries(keys).map(([name, { fallback }]) => [name, fallback]));

type ConfigKey = keyof typeof keys;
type ProjectConfigs = { readonly [Name in ConfigKey]: (typeof keys)[Name]['fallback'] };

/** What a project has set, and the defaults of the rest. */
export function configOf(project: Pick<ProjectRecord, 'configs'>): ProjectConfigs {
  // Nothing is stored that `readConfig` has not read.
  return { ...defaults, ...project.configs } as ProjectConfigs;
}

/** Every key as it is, with its default and what it means. */
export function describeConfigs(project: Pick<ProjectRecord, 'configs'>) {
  const values: Readonly<Record<string, unknown>> = configOf(project);
  return Object.entries<DescribedKey<unknown>>(keys).map(([key, { fallback, form, meaning, warning }]) => ({
    key,
    value: values[key],
    default: fallback,
    isSet: Object.hasOwn(project.configs, key),
    form,
    meaning,
    warning: warning?.(values[key]) ?? null,
  }));
}

/** Where the project's users log in, if it says so. */
export function loginUrlOf(project: Pick<ProjectRecord, 'configs'>): string | undefined {
  const { LOGIN_URL, FRONTEND_URL } = configOf(project);
  return LOGIN_URL ?? FRONTEND_URL ?? undefined;
}

/** May new users give themselves any role? */
export function areSelfRolesOpen(project: Pick<ProjectRecord, 'configs'>): boolean {
  return configOf(project).ALLOWED_SELF_ROLES === null;
}

/** Sets a built-in configuration key, after checking the value. */
export async function setConfig(
  control: ControlDb,
  ref: string,
  name: string,
  text: string,
): Promise<ProjectRecord> {
  return requireFound(ref, await saveConfig(control, ref, readConfig(name, text)));
}

/** Gives a configuration key its default again. */
export async function unsetConfig(control: ControlDb, ref: string, name: string): Promise<ProjectRecord> {
  if (!isConfigKey(name)) throw invalidSetting(name, `"${name}" is not a configuration key.`);
  return requireFound(ref, await removeConfig(control, ref, name));
}

/** Checks a key and the text it is to be set to. */
export function readConfig(name: string, text: string): { name: ConfigKey; value: unknown } {
  if (!isConfigKey(name)) {
    throw invalidSetting(
      name,
      `"${name}" is not a configuration key. Keys: ${Object.keys(keys).join(', ')}.`,
    );
  }
  const { read, form } = keys[name];
  const value = read(text);
  if (value === undefined) throw invalidSetting(name, `${name} must be ${form}; "${text}" is not.`);
  return { name, value };
}

export function isConfigKey(name: string): name is ConfigKey {
  return Object.hasOwn(keys, name);
}
