import { isDeepStrictEqual } from 'node:util';
import { formatPath, type Path, parsePath, QueryError } from '@plinth/protocol';
import type { Collection, CollectionSettings } from '../collections/index.ts';
import { type Fields, isOwnedField, partAt, withoutPath } from '../records/index.ts';
import { invalidFieldRule } from './errors.ts';
import { isHidden } from './hidden-fields.ts';
import type { PlacedRule } from './parse-rule.ts';

/** A field that has rules of its own. */
export interface RuledField {
  readonly field: string;
  readonly path: Path;
}

/** The rule of a field; what is not said is closed. */
export function fieldRule(
  { settings }: Pick<Collection, 'settings'>,
  { field }: RuledField,
  action: 'create' | 'update',
): PlacedRule {
  return {
    place: `fieldRules.${field}.${action}`,
    text: settings.fieldRules?.[field]?.[action] ?? 'locked',
  };
}

export function ruledFields({ fieldRules = {} }: Pick<CollectionSettings, 'fieldRules'>): RuledField[] {
  return Object.keys(fieldRules).map((field) => ({ field, path: parsePath(field, field) }));
}

/** Those of the fields that a new document has. */
export function fieldsIn(fields: readonly RuledField[], document: Fields): RuledField[] {
  return fields.filter(({ path }) => partAt(document, path) !== undefined);
}

/** Which of the fields a change touches, and whether it touches anything else. */
export function touchedBy(
  fields: readonly RuledField[],
  { before, after }: { before: Fields; after: Fields },
): { fields: RuledField[]; isRestTouched: boolean } {
  const touched = fields.filter(({ path }) => !isDeepStrictEqual(partAt(before, path), partAt(after, path)));
  const restOf = (document: Fields) =>
    fields.reduce<unknown>((rest, { path }) => withoutPath(rest, path), document);
  return { fields: touched, isRestTouched: !isDeepStrictEqual(restOf(before), restOf(after)) };
}

/** Refuses fields that cannot have rules of their own, and such that lie in one another: one rule decides about a value. */
export function checkFieldRules(settings: CollectionSettings): void {
  const { fieldRules = {}, hiddenFields, ownerField } = settings;
  const paths: Path[] = [];
  for (const field of Object.keys(fieldRules)) {
    const path = readPath(field);
    const [first = ''] = path;
    if (isOwnedField(first)) throw invalidFieldRule(field, 'The service sets it.');
    if (first === ownerField)
      throw invalidFieldRule(field, 'It contains the owner, which cannot be changed.');
    if (hiddenFields.some((hidden) => overlap(path, readPath(hidden))))
      throw invalidFieldRule(
        field,
        'It is hidden or contains a hidden field: only the API key can write it.',
      );
    const other = paths.find((known) => overlap(path, known));
    if (other)
      throw invalidFieldRule(
        field,
        `"${formatPath(other)}" has rules too, and one field contains the other.`,
      );
    paths.push(path);
  }
}

function readPath(field: string): Path {
  try {
    return parsePath(field, field);
  } catch (error) {
    if (error instanceof QueryError) throw invalidFieldRule(field, error.message);
    throw error;
  }
}

function overlap(a: Path, b: Path): boolean {
  return isHidden([a], b) || isHidden([b], a);
}
