import { mapWithRests } from '../../platform/concurrency/yielder.ts';
import { checkProjectConfiguration } from '../control/index.ts';
import { checkName, readAskedFields } from '../data/index.ts';
import { checkTemplate, readWhich, type Which } from '../people/index.ts';
import {
  type AskedIndex,
  type CollectionConfiguration,
  type Configuration,
  collectionConfiguration,
  keyOf,
  type MailText,
  mailText,
} from './configuration.ts';
import { placed } from './errors.ts';
import type { GivenBody } from './schemas.ts';

/** The parts of a configuration that were given, checked and in the form in which they are compared. */
export type Given = Partial<Configuration>;

/** Reads a configuration that somebody wrote; a refusal says where in it. `asker`: whose work it is. */
export async function readGiven(asker: string, body: GivenBody): Promise<Given> {
  const { collections, settings, configs, allowedOrigins, mails } = body;
  return {
    ...(settings && at('settings', () => checkProjectConfiguration({ settings }))),
    ...(configs && at('configs', () => checkProjectConfiguration({ configs }))),
    ...(allowedOrigins && at('allowedOrigins', () => checkProjectConfiguration({ allowedOrigins }))),
    ...(collections && { collections: await each(asker, 'collections', collections, readCollection) }),
    ...(mails && { mails: await each(asker, 'mails', mails, readMail) }),
  };
}

/** Does a check, whose refusal is to say where in the configuration it is about. */
function at<Result>(place: string, check: () => Result): Result {
  try {
    return check();
  } catch (error) {
    throw placed(error, place);
  }
}

async function each<Item, Result>(
  asker: string,
  place: string,
  items: Readonly<Record<string, Item>>,
  read: (name: string, item: Item) => Result,
): Promise<Record<string, Result>> {
  const entries = await mapWithRests(asker, Object.entries(items), ([name, item]): [string, Result] => [
    name,
    at(`${place}.${name}`, () => read(name, item)),
  ]);
  return Object.fromEntries(entries);
}

type GivenCollection = NonNullable<GivenBody['collections']>[string];

const locked = { read: 'locked', create: 'locked', update: 'locked', delete: 'locked' };

function readCollection(
  name: string,
  { rules, ownerField = null, hiddenFields = [], schema, indexes = [], ...others }: GivenCollection,
): CollectionConfiguration {
  checkName(name);
  const asked = indexes.map((index): AskedIndex => ({ kind: index.kind, fields: readAskedFields(index) }));
  const distinct = [...new Map(asked.map((index) => [keyOf(index), index])).values()];
  return collectionConfiguration(
    { ...others, rules: { ...locked, ...rules }, ownerField, hiddenFields, ...(schema && { schema }) },
    distinct,
  );
}

function readMail(key: string, text: MailText): MailText {
  checkTemplate(mailOf(key).name, { subject: '', ...text });
  return mailText(text);
}

/** `welcome.en` */
export function mailOf(key: string): Which {
  const [name = '', language = ''] = key.split(/\.(.*)/s);
  return readWhich({ name, language });
}
