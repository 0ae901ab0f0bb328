import { fieldOf, idForm, isObject, isSystem, type Row } from './columns.ts';

/** The number of the collection that an id belongs to; 0 stands for app users. */
export function collectionNumberOf(id: unknown): number | undefined {
  if (typeof id !== 'string' || !idForm.test(id)) return undefined;
  const high = Number.parseInt(id.slice(15, 18), 16);
  const low = (Number.parseInt(id.slice(19, 23), 16) & 0x3fff) >> 2;
  return high * 4096 + low;
}

interface FoundLink {
  readonly field: string;
  readonly id: string;
  readonly number: number;
}

const mostFound = 20;

/** Ids of other records that a document holds. */
export function linksIn(row: Row): FoundLink[] {
  const found: FoundLink[] = [];
  const look = (value: unknown, path: readonly string[]) => {
    if (found.length >= mostFound) return;
    const number = collectionNumberOf(value);
    if (number !== undefined) found.push({ field: fieldOf(path), id: String(value), number });
    else if (Array.isArray(value)) for (const one of value) look(one, path);
    else if (isObject(value)) for (const [name, part] of Object.entries(value)) look(part, [...path, name]);
  };
  for (const [name, value] of Object.entries(row)) if (!isSystem(name)) look(value, [name]);
  return found;
}
