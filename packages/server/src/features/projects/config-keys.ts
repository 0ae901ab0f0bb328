import type { Project } from './project.ts';
import { ProjectError } from './project-error.ts';

interface Key<Value> {
  readonly fallback: Value;
  /** Reads the text of a setting; undefined: it is not of that form. */
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
  // As it goes into mails: nothing in it that breaks a line, or is not seen.
  read: (text) => (/^https?:\/\/[^\s\p{C}]+$/u.test(text) && URL.canParse(text) ? text : undefined),
  form: 'an http(s) address',
};

/** The built-in configuration keys of a project. */
const keys = {
  JWT_EXPIRY_MINUTES: integer(2880, 1, 999_999_999, 'a whole number of minutes, 1 or more'),
  ENABLE_2FA: boolean(false),
  ENABLE_PHONE_LOGIN: boolean(false),
  ENABLE_EMAIL_VERIFICATION: boolean(false),
  OTP_LENGTH: integer(6, 4, 10, 'a whole number, 4 to 10'),
  ALLOWED_SELF_ROLES: {
    fallback: null,
    read: (text) =>
      text
        .split(',')
        .map((role) => role.trim())
        .filter(Boolean)
        .join(','),
    form: 'roles separated by commas',
  } satisfies Key<string | null> as Key<string | null>,
  SEND_WELCOME_EMAIL: boolean(true),
  FRONTEND_URL: address,
  VERIFICATION_URL: address,
  VERIFICATION_SUCCESS_URL: address,
  LOGIN_URL: address,
  PASSWORD_RESET_URL: address,
};

export type ConfigKey = keyof typeof keys;
export type ProjectConfig = { readonly [Name in ConfigKey]: (typeof keys)[Name]['fallback'] };

/** What a project has set, and the defaults of the rest. */
export function configOf(project: Pick<Project, 'configs'>): ProjectConfig {
  const defaults = Object.entries(keys).map(([name, { fallback }]) => [name, fallback]);
  return { ...Object.fromEntries(defaults), ...project.configs } as ProjectConfig;
}

/** Where the project's users log in, if it says so. */
export function loginUrlOf(project: Pick<Project, 'configs'>): string | undefined {
  const { LOGIN_URL, FRONTEND_URL } = configOf(project);
  return LOGIN_URL ?? FRONTEND_URL ?? undefined;
}

/** Checks a key and the text it is to be set to. */
export function readConfig(name: string, text: string): { name: ConfigKey; value: unknown } {
  if (!Object.hasOwn(keys, name)) {
    throw new ProjectError(`"${name}" is not a configuration key. Known: ${Object.keys(keys).join(', ')}.`);
  }
  const key = keys[name as ConfigKey];
  const value = key.read(text);
  if (value === undefined) throw new ProjectError(`${name} is ${key.form}; "${text}" is not.`);
  return { name: name as ConfigKey, value };
}

export function isConfigKey(name: string): name is ConfigKey {
  return Object.hasOwn(keys, name);
}
