import { parsePath, QueryError } from '@plinth/protocol';
import { checkJsonValue, invalidJsonValue } from '../../platform/http/parse-json.ts';
import { canonicalJson } from '../../platform/json.ts';
import type { Fields } from './document.ts';
import { invalidOperator, operatorMismatch } from './errors.ts';
import { isOwnedField, splitBody } from './fields.ts';

/** Changes the value at one place; undefined stands for "no such field", before and after. */
type Operation = (before: unknown, operand: unknown, field: string) => unknown;

const operations = new Map<string, Operation>([
  [
    '$append',
    (before, operand, field) => [...listAt('$append', before, field), ...valuesOf('$append', operand)],
  ],
  ['$addUnique', addUnique],
  ['$remove', remove],
  ['$increment', increment],
  ['$unset', () => undefined],
]);

/** The document's fields after a PATCH: named fields are replaced, then operators applied in the order written. */
export function applyPatch(before: Fields, body: Fields): Fields {
  const { fields, operators } = splitBody(body);
  const after: Fields = { ...before, ...fields };
  const entries = Object.entries(operators);
  const owned = new Set<unknown>();
  for (const [operator, operands] of entries) {
    const operation = operations.get(operator);
    if (!operation) {
      throw invalidOperator(
        `"${operator.slice(0, 100)}" is not an operator. Known: ${[...operations.keys()].join(', ')}.`,
      );
    }
    if (typeof operands !== 'object' || operands === null || Array.isArray(operands)) {
      throw invalidOperator(`${operator} takes an object of fields: {"${operator}": {"field": value}}.`);
    }
    for (const [field, operand] of Object.entries(operands)) {
      changeAt(after, owned, { operator, field }, (value) => operation(value, operand, field));
    }
  }
  // An operator with a dotted path can nest deeper than any body.
  if (entries.length > 0) checkJsonValue(after);
  return after;
}

function changeAt(
  fields: Fields,
  owned: Set<unknown>,
  { operator, field }: { operator: string; field: string },
  change: (value: unknown) => unknown,
): void {
  const path = pathOf(operator, field);
  const last = path.at(-1)!;
  let parent = fields;
  let made: [Fields, string] | undefined;
  for (const key of path.slice(0, -1)) {
    if (!Object.hasOwn(parent, key)) {
      made ??= [parent, key];
      parent[key] = {};
      owned.add(parent[key]);
    } else if (!owned.has(parent[key])) {
      // Values of the request are shared with its body: an object is copied before its first change.
      parent[key] = copyOfObject(parent[key], operator, field);
      owned.add(parent[key]);
    }
    parent = parent[key] as Fields;
  }
  const value = change(Object.hasOwn(parent, last) ? parent[last] : undefined);
  if (value !== undefined) parent[last] = value;
  else if (Object.hasOwn(parent, last)) delete parent[last];
  else if (made) delete made[0][made[1]];
}

function pathOf(operator: string, field: string): readonly string[] {
  let path: readonly string[];
  try {
    path = parsePath(field, field);
  } catch (error) {
    if (error instanceof QueryError)
      throw invalidOperator(`${operator} on "${field.slice(0, 100)}": ${error.message}`);
    throw error;
  }
  if (isOwnedField(path[0]!)) throw invalidOperator(`${operator}: the service sets "${path[0]}" itself.`);
  return path;
}

function copyOfObject(value: unknown, operator: string, field: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw operatorMismatch(operator, field, 'part of the path is not an object');
  }
  return { ...value };
}

function listAt(operator: string, value: unknown, field: string): unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw operatorMismatch(operator, field, 'the value is not an array');
  return value;
}

/** The operand, or with `{"$each": […]}` several. */
function valuesOf(operator: string, operand: unknown): unknown[] {
  if (typeof operand !== 'object' || operand === null || !Object.hasOwn(operand, '$each')) return [operand];
  const { $each: each, ...others } = operand as { $each: unknown };
  if (!Array.isArray(each) || Object.keys(others).length > 0) {
    throw invalidOperator(`${operator}: "$each" takes an array and stands alone: {"$each": [1, 2]}.`);
  }
  return each;
}

function addUnique(before: unknown, operand: unknown, field: string): unknown[] {
  const list = [...listAt('$addUnique', before, field)];
  const present = new Set(list.map(canonicalJson));
  for (const value of valuesOf('$addUnique', operand)) {
    const mark = canonicalJson(value);
    if (present.has(mark)) continue;
    present.add(mark);
    list.push(value);
  }
  return list;
}

function remove(before: unknown, operand: unknown, field: string): unknown {
  if (before === undefined) return undefined;
  const unwanted = new Set(valuesOf('$remove', operand).map(canonicalJson));
  return listAt('$remove', before, field).filter((element) => !unwanted.has(canonicalJson(element)));
}

function increment(before: unknown, operand: unknown, field: string): number {
  if (typeof operand !== 'number')
    throw invalidOperator(`$increment takes a number: {"$increment": {"${field}": 1}}.`);
  if (before !== undefined && typeof before !== 'number') {
    throw operatorMismatch('$increment', field, 'the value is not a number');
  }
  const from = before ?? 0;
  const sum = from + operand;
  // Beyond the safe integers and below 1e21 a sum would be written as an integer that no body may hold.
  const isInexact = Number.isInteger(sum) && !Number.isSafeInteger(sum) && Math.abs(sum) < 1e21;
  if (!Number.isFinite(sum) || isInexact) {
    throw invalidJsonValue(field, 'The sum is beyond what a number can hold exactly.');
  }
  return sum;
}
