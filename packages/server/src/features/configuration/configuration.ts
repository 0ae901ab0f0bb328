import { createHash } from 'node:crypto';
import type { ProjectConfiguration } from '../control/index.ts';
import type { Collection, CollectionSettings } from '../data/index.ts';

/** A project's configuration in one form: two that mean the same are written the same. */
export interface Configuration extends ProjectConfiguration {
  readonly collections: Readonly<Record<string, CollectionConfiguration>>;
  /** The texts that the project has put in the place of ours: `welcome.en`. */
  readonly mails: Readonly<Record<string, MailText>>;
}

/** Settings that have their defaults are left out, but for the rules. */
export interface CollectionConfiguration {
  readonly rules: CollectionSettings['rules'];
  readonly ownerField?: string;
  readonly hiddenFields?: CollectionSettings['hiddenFields'];
  readonly fieldRules?: NonNullable<CollectionSettings['fieldRules']>;
  readonly autoIndex?: false;
  readonly indexes?: readonly AskedIndex[];
  readonly schema?: NonNullable<CollectionSettings['schema']>;
}

/** An index that was asked for; those that the service makes by itself are not configuration. */
export interface AskedIndex {
  readonly kind: 'sort' | 'search' | 'unique';
  readonly fields: readonly string[];
}

export interface MailText {
  readonly subject?: string;
  readonly body: string;
  readonly html?: string;
}

export function collectionConfiguration(
  { rules, ownerField, hiddenFields, fieldRules = {}, autoIndex, schema }: CollectionSettings,
  indexes: readonly AskedIndex[],
): CollectionConfiguration {
  return {
    rules: { read: rules.read, create: rules.create, update: rules.update, delete: rules.delete },
    ...(ownerField !== null && { ownerField }),
    ...(hiddenFields.length > 0 && { hiddenFields }),
    ...(Object.keys(fieldRules).length > 0 && { fieldRules: sorted(fieldRules) }),
    ...(autoIndex === false && { autoIndex }),
    ...(indexes.length > 0 && { indexes: indexes.toSorted((a, b) => compare(keyOf(a), keyOf(b))) }),
    ...(schema && { schema: sorted(schema) }),
  };
}

export const keyOf = ({ kind, fields }: AskedIndex): string => `${kind} ${fields.join(' ')}`;

export function isAskedKind(kind: Collection['indexes'][number]['kind']): kind is AskedIndex['kind'] {
  return kind !== 'statistics';
}

export function mailText({
  subject,
  body,
  html,
}: {
  subject?: string;
  body: string;
  html?: string | null;
}): MailText {
  return {
    ...(subject !== undefined && subject !== '' && { subject }),
    body,
    ...(typeof html === 'string' && { html }),
  };
}

/** The same value with the names in it sorted: PostgreSQL keeps no order of names. */
function sorted<Value>(value: Value): Value;
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => sorted(item));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, part]): [string, unknown] => [name, sorted(part)]);
  return Object.fromEntries(entries.length < 2 ? entries : entries.toSorted(byName));
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) => compare(a, b);

/** The same entries, sorted by their names. */
export function inOrder<Value>(entries: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(entries).toSorted(byName));
}

export const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));

/** Tells this configuration from any other. Everything in it is in order already, but for what these names are of. */
export function versionOf({ collections, settings, configs, allowedOrigins, mails }: Configuration): string {
  const text = JSON.stringify([
    inOrder(collections),
    { ...settings, rooms: inOrder(settings.rooms) },
    inOrder(configs),
    allowedOrigins,
    inOrder(mails),
  ]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 27);
}
