import { formatPath, isEach, isOperatorName, touchedByOperators } from '@plinth/protocol';
import { collectionOfId, isId } from '../../../platform/ids.ts';
import type { Fields } from '../records/index.ts';

/** Something that looks like a link: the field, and ids of one collection found there. */
export interface PossibleLink {
  readonly field: string;
  readonly target: number;
  readonly ids: ReadonlySet<string>;
}

/** More than these are not looked at: fields, and ids of one field. */
const maxFields = 100;
const maxIds = 1000;
/** In characters. An index of PostgreSQL has room for so much. */
const longestField = 500;

/** The operators that put values into a record. */
const adding = new Set(['$set', '$append', '$addUnique']);

/** Every place in a body, operators included, that holds ids, by field and target collection. */
export function findLinks(bodies: readonly Readonly<Fields>[]): PossibleLink[] {
  const found = new Map<string, PossibleLink & { ids: Set<string> }>();
  const note = (path: readonly string[], id: string): void => {
    if (id.length !== 36 || !isId(id)) return;
    const field = formatPath(path);
    if (field.length > longestField) return;
    const target = collectionOfId(id);
    const key = `${field}\n${target}`;
    if (found.size >= maxFields && !found.has(key)) return;
    const link = found.get(key) ?? { field, target, ids: new Set() };
    if (link.ids.size < maxIds) link.ids.add(id);
    found.set(key, link);
  };
  for (const body of bodies) {
    for (const [name, value] of Object.entries(body)) {
      if (!isOperatorName(name)) walk([name], value, note);
    }
    for (const { operator, path, operand } of touchedByOperators(body)) {
      if (adding.has(operator))
        walk(path, operator !== '$set' && isEach(operand) ? operand.$each : operand, note);
    }
  }
  return [...found.values()];
}

/** The collections that a value links to, if what its ids name exists. */
export function linkedCollections(value: unknown): number[] {
  const texts = [value].flat().filter((element) => typeof element === 'string');
  return [...new Set(texts.filter(isId).map(collectionOfId))];
}

type Note = (path: readonly string[], id: string) => void;

function walk(path: readonly string[], value: unknown, note: Note): void {
  if (typeof value === 'string') note(path, value);
  else if (Array.isArray(value)) {
    for (const element of value) if (typeof element === 'string') note(path, element);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) walk([...path, key], member, note);
  }
}

/** The path that a field of the catalogue stands for: the opposite of `formatPath`. */
export function pathOfField(field: string): string[] {
  return field.split(/(?<!\\)\./).map((key) => key.replaceAll('\\.', '.'));
}
