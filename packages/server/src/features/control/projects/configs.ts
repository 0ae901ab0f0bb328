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

/** The built-in configuration keys of a project. */
const keys = {
  JWT_EXPIRY_MINUTES: integer(2880, 1, 999_999_999, 'a whole number of minutes, 1 or more'),
  REFRESH_TOKEN_DAYS: integer(30, 1, 3650, 'a whole number of days, 1 to 3650'),
  ENABLE_2FA: boolean(false),
  ENABLE_PHONE_LOGIN: boolean(false),
  ENABLE_EMAIL_VERIFICATION: boolean(false),
  OTP_LENGTH: integer(6, 4, 10, 'a whole number, 4 to 10'),
  ALLOWED_SELF_ROLES: roles,
  SEND_WELCOME_EMAIL: boolean(true),
  FRONTEND_URL: address,
  VERIFICATION_URL: address,
  VERIFICATION_SUCCESS_URL: address,
  LOGIN_URL: address,
  PASSWORD_RESET_URL: address,
};

const defaults = Object.fromEntries(Object.entries(keys).map(([name, { fallback }]) => [name, fallback]));

type ConfigKey = keyof typeof keys;
type ProjectConfigs = { readonly [Name in ConfigKey]: (typeof keys)[Name]['fallback'] };

/** What a project has set, and the defaults of the rest. */
export function configOf(project: Pick<ProjectRecord, 'configs'>): ProjectConfigs {
  // Nothing is stored that `readConfig` has not read.
  return { ...defaults, ...project.configs } as ProjectConfigs;
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
function readConfig(name: string, text: string): { name: ConfigKey; value: unknown } {
  if (!isConfigKey(name)) {
    throw invalidSetting(
      name,
      `"${name}" is not a configuration key. Known: ${Object.keys(keys).join(', ')}.`,
    );
  }
  const { read, form } = keys[name];
  const value = read(text);
  if (value === undefined) throw invalidSetting(name, `${name} is ${form}; "${text}" is not.`);
  return { name, value };
}

export function isConfigKey(name: string): name is ConfigKey {
  return Object.hasOwn(keys, name);
}
