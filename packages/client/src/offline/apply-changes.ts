import { splitEscaped } from '@plinth/protocol';
import type { Row } from '../live/compare.ts';

type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const entriesOf = (operands: unknown): [string, unknown][] =>
  Array.isArray(operands)
    ? operands.map((field) => [String(field), true])
    : Object.entries(operands as object);

/** A document with changes in it, as the server will make them. What it would refuse is left out: it says so later. */
export function applyChanges(before: Row, changes: Fields): Row {
  const after: Fields = { ...before };
  for (const [name, value] of Object.entries(changes))
    if (!name.startsWith('$') && name !== 'id' && !(value instanceof Blob)) after[name] = value;
  for (const [operator, operands] of Object.entries(changes)) {
    if (!operator.startsWith('$')) continue;
    for (const [field, operand] of entriesOf(operands))
      changeAt(after, splitEscaped(field, '.'), (value) => valueAfter(operator, operand, value));
  }
  return after as unknown as Row;
}

function changeAt(fields: Fields, path: readonly string[], change: (value: unknown) => unknown): void {
  const [name = '', ...rest] = path;
  const inner = fields[name];
  if (rest.length > 0) {
    if (inner !== undefined && !isObject(inner)) return;
    const own = { ...inner };
    changeAt(own, rest, change);
    if (inner !== undefined || Object.keys(own).length > 0) fields[name] = own;
    return;
  }
  const value = change(inner);
  if (value === undefined) delete fields[name];
  else fields[name] = value;
}

function valueAfter(operator: string, operand: unknown, before: unknown): unknown {
  if (operator === '$set') return operand;
  if (operator === '$unset') return undefined;
  if (operator === '$increment') return Number(before ?? 0) + Number(operand);
  if (before !== undefined && !Array.isArray(before)) return before;
  const list: readonly unknown[] = before ?? [];
  const { $each: values = [operand] } = (isObject(operand) ? operand : {}) as { $each?: unknown[] };
  const has = (all: readonly unknown[], one: unknown) =>
    all.some((other) => JSON.stringify(other) === JSON.stringify(one));
  if (operator === '$remove') return before && list.filter((one) => !has(values, one));
  if (operator === '$append') return [...list, ...values];
  return values.reduce<unknown[]>((all, one) => (has(all, one) ? all : [...all, one]), [...list]);
}
