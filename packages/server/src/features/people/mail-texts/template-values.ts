import { isIP } from 'node:net';
import { safeName } from './safe-name.ts';
import { type TemplateName, variablesOf } from './templates.ts';
import type { Language } from './texts.ts';

export type TemplateVariables = Readonly<Record<string, string | number | undefined>>;

/** What placeholders stand for: one line each, empty where there is nothing to say. */
export type TemplateValues = Readonly<Record<string, string>>;

interface Given {
  readonly template: TemplateName;
  readonly language: Language;
  readonly variables: TemplateVariables;
  readonly appName: string;
  readonly replacement?: { readonly variables?: readonly string[] | undefined } | undefined;
}

const mostCharacters = 500;
/** Control characters and line ends; also those that turn the direction of writing and so hide what is there. */
const unseen = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/gu;

/** The values of all that a template may mention. Whatever callers can influence is made harmless. */
export function valuesFor({ template, language, variables, appName, replacement }: Given): TemplateValues {
  const values: Record<string, string> = Object.create(null);
  for (const name of [...variablesOf(template), ...(replacement?.variables ?? [])]) {
    const given = name === 'app_name' ? appName : variables[name];
    const read = readers[name] ?? ((text: string) => oneLine(text, mostCharacters));
    values[name] = read(String(given ?? ''), language) ?? '';
  }
  return values;
}

const readers: Record<string, (given: string, language: Language) => string | undefined> = {
  name: safeName,
  project: safeName,
  device: safeName,
  address: (given) => (isIP(given) === 0 ? undefined : given),
  link: webAddress,
  login_url: webAddress,
  frontend_url: webAddress,
  time: (given, language) => {
    const time = new Date(given);
    if (Number.isNaN(time.valueOf())) return undefined;
    const words = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const;
    // English as most of the world writes it: 24 hours, and no doubt which number is the month.
    return `${new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, words).format(time)} UTC`;
  },
};

function webAddress(given: string): string | undefined {
  return /^https?:\/\/\S+$/.test(given) && oneLine(given, Infinity) === given ? given : undefined;
}

/** Text without line ends, so that a value cannot look like a paragraph or a header of its own. */
export function oneLine(text: string, most: number): string {
  const line = text.toWellFormed().replaceAll(unseen, ' ').trim();
  return line.length <= most ? line : `${line.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
