import { type Path, parsePath, QueryError } from '@plinth/protocol';
import type { Principal } from '../../../calls/index.ts';
import type { CollectionSettings } from '../collections/index.ts';
import { type Fields, isOwnedField, removePath } from '../records/index.ts';
import { invalidHiddenField } from './errors.ts';

/** The fields that this caller may neither see, use in a query nor write. */
export function hiddenPaths(
  { isTrusted }: Principal,
  { hiddenFields }: Pick<CollectionSettings, 'hiddenFields'>,
): Path[] {
  return isTrusted ? [] : hiddenFields.map((field) => parsePath(field, field));
}

/** Is the path, or something it lies in, hidden? */
export function isHidden(hidden: readonly Path[], path: Path): boolean {
  return hidden.some((field) => field.every((key, at) => path[at] === key));
}

/** Refuses names that would hide nothing, or what every answer needs. */
export function checkHiddenFields({ hiddenFields }: Pick<CollectionSettings, 'hiddenFields'>): void {
  for (const field of hiddenFields) {
    try {
      const [first = ''] = parsePath(field, field);
      if (isOwnedField(first)) {
        throw invalidHiddenField(field, 'It is set by the service and part of every response.');
      }
    } catch (error) {
      if (error instanceof QueryError) throw invalidHiddenField(field, error.message);
      throw error;
    }
  }
}

/** Takes hidden fields out of a record, also out of the objects in an array on the way. */
export function removeHidden(record: Fields, hidden: readonly Path[]): void {
  for (const path of hidden) removePath(record, path);
}
