import {
  isOperatorName,
  operandValues,
  PatchError,
  type PatchOperation,
  parseOperations,
} from '@plinth/protocol';
import { checkJsonValue, invalidJsonValue } from '../../../platform/http/parse-json.ts';
import { canonicalJson } from '../../../platform/json.ts';
import { invalidOperator, operatorMismatch } from './errors.ts';
import { isOwnedField } from './fields.ts';
import { type Fields, isObject, valueAtPath } from './paths.ts';

/** The fields after a PATCH: those it names are replaced, then its operators applied in the order written. */
export function applyPatch(before: Readonly<Fields>, body: Readonly<Fields>): Fields {
  const after: Fields = { ...before };
  let hasOperators = false;
  for (const [name, value] of Object.entries(body)) {
    if (isOperatorName(name)) hasOperators = true;
    else if (!isOwnedField(name)) after[name] = value;
  }
  if (hasOperators) applyOperators(after, body);
  return after;
}

/** What to say of names with a dot that were taken for names, and look like the way to a field inside an object. */
export function dottedNames(body: Readonly<Fields>, after: () => Readonly<Fields>): string[] {
  const dotted = Object.keys(body).filter((name) => name.includes('.') && !isOperatorName(name));
  if (dotted.length === 0) return [];
  const fields = after();
  return dotted
    .filter((name) => isObject(valueAtPath(fields, name.split('.').slice(0, -1))))
    .map(
      (name) =>
        `"${name.slice(0, 100)}" was stored as a field of that name. To set a field inside an object, use {"$set": {"${name.slice(0, 100)}": …}}.`,
    );
}

function applyOperators(fields: Fields, body: Readonly<Fields>): void {
  const copied = new Set<unknown>();
  try {
    for (const operation of parseOperations(body)) changeAt(fields, copied, operation);
  } catch (error) {
    if (error instanceof PatchError) throw invalidOperator(error.message);
    throw error;
  }
  // An operator with a dotted path can nest deeper than any body.
  checkJsonValue(fields);
}

/** Applies an operation. Values of the request are shared with its body: an object is copied before its first change. */
function changeAt(fields: Fields, copied: Set<unknown>, operation: PatchOperation): void {
  const { operator, field, path } = operation;
  const [first = ''] = path;
  if (isOwnedField(first))
    throw invalidOperator(`${operator}: "${first}" is set by the service and cannot be changed.`);
  const last = path.at(-1) ?? '';
  let parent = fields;
  let added: { readonly to: Fields; readonly key: string } | undefined;
  for (const key of path.slice(0, -1)) {
    const inner = Object.hasOwn(parent, key) ? parent[key] : undefined;
    if (inner === undefined) added ??= { to: parent, key };
    else if (!isObject(inner)) throw operatorMismatch(operator, field, 'part of the path is not an object');
    const own: Fields = isObject(inner) && copied.has(inner) ? inner : { ...inner };
    copied.add(own);
    parent[key] = own;
    parent = own;
  }
  const value = valueAfter(operation, Object.hasOwn(parent, last) ? parent[last] : undefined);
  if (value !== undefined) parent[last] = value;
  else if (Object.hasOwn(parent, last)) delete parent[last];
  else if (added) delete added.to[added.key];
}

/** What an operation makes of a value; undefined stands for "no such field", before and after. */
function valueAfter(operation: PatchOperation, before: unknown): unknown {
  switch (operation.operator) {
    case '$set':
      return operation.operand;
    case '$append':
      return [...listIn(operation, before), ...operandValues(operation)];
    case '$addUnique':
      return addUnique(operation, before);
    case '$remove':
      return before === undefined ? undefined : remove(operation, before);
    case '$increment':
      return increment(operation, before);
    case '$unset':
      return undefined;
  }
}

function listIn({ operator, field }: PatchOperation, value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw operatorMismatch(operator, field, 'the value is not an array');
  return value;
}

function addUnique(operation: PatchOperation, before: unknown): unknown[] {
  const list = [...listIn(operation, before)];
  const present = new Set(list.map(canonicalJson));
  for (const value of operandValues(operation)) {
    const mark = canonicalJson(value);
    if (present.has(mark)) continue;
    present.add(mark);
    list.push(value);
  }
  return list;
}

function remove(operation: PatchOperation, before: unknown): unknown[] {
  const unwanted = new Set(operandValues(operation).map(canonicalJson));
  return listIn(operation, before).filter((element) => !unwanted.has(canonicalJson(element)));
}

function increment({ field, operand }: PatchOperation, before: unknown): number {
  if (typeof operand !== 'number')
    throw invalidOperator(`$increment takes a number: {"$increment": {"${field}": 1}}.`);
  if (before !== undefined && typeof before !== 'number') {
    throw operatorMismatch('$increment', field, 'the value is not a number');
  }
  const sum = (before ?? 0) + operand;
  // Beyond the safe integers and below 1e21 a sum would be written as an integer that no body may hold.
  const isInexact = Number.isInteger(sum) && !Number.isSafeInteger(sum) && Math.abs(sum) < 1e21;
  if (!Number.isFinite(sum) || isInexact) {
    throw invalidJsonValue(field, 'The sum is too large to be represented exactly.');
  }
  return sum;
}
