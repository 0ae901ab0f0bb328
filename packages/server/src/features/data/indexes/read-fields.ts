import { formatPath, QueryError } from '@plinth/protocol';
import { formatIndexField, type IndexField, readIndexField } from '../collections/index.ts';
import { invalidIndex } from './errors.ts';

export type AskedKind = 'sort' | 'search' | 'unique';

/** Checks the fields of an index that is asked for, and writes each in one way. */
export function readFields(kind: AskedKind, texts: readonly string[]): string[] {
  const fields = texts.map(readField);
  const names = fields.map(({ path }) => formatPath(path));
  if (new Set(names).size < names.length) throw invalidIndex('A field is named twice.');
  if (kind === 'search' && fields.length > 1)
    throw invalidIndex('A search index can have only one field. Create one index per field.');
  if (kind !== 'sort' && fields.some(({ isDescending }) => isDescending))
    throw invalidIndex(`Only a sort index has directions: remove the "-".`);
  for (const [at, name] of names.entries()) checkOwnField(kind, name, at === names.length - 1);
  return fields.map(formatIndexField);
}

const ownFields: readonly string[] = ['id', 'createdAt', 'updatedAt'];

function readField(text: string): IndexField {
  try {
    const field = readIndexField(text);
    const [first = '', ...inside] = field.path;
    if (inside.length > 0 && ownFields.includes(first))
      throw new QueryError('fields', 'There is no such field.');
    return field;
  } catch (error) {
    if (error instanceof QueryError) throw invalidIndex(`"${text.slice(0, 100)}": ${error.message}`);
    throw error;
  }
}

/** The service's own fields are columns: refuses an index that would be of no use there. */
function checkOwnField(kind: AskedKind, name: string, isLast: boolean): void {
  if (!ownFields.includes(name)) return;
  if (kind !== 'sort') throw invalidIndex(`"${name}" cannot be in a ${kind} index.`);
  if (name !== 'updatedAt' && !isLast)
    throw invalidIndex(`"${name}" already has an index; after other fields, it must come last.`);
}
