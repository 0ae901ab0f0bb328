import { parsePath } from '../query/paths.ts';
import { QueryError } from '../query/query-error.ts';
import type { Path } from '../query/syntax.ts';

type Json = Readonly<Record<string, unknown>>;

/** What a PATCH can do besides replacing fields. */
export const patchOperators = ['$set', '$append', '$addUnique', '$remove', '$increment', '$unset'] as const;

type PatchOperator = (typeof patchOperators)[number];

/** One change of one field: `{"$increment": {"stats.views": 1}}`. */
export interface PatchOperation {
  readonly operator: PatchOperator;
  /** The field as it was written. */
  readonly field: string;
  readonly path: Path;
  readonly operand: unknown;
}

/** An invalid PATCH. */
export class PatchError extends Error {
  constructor(problem: string) {
    super(problem);
    this.name = 'PatchError';
  }
}

/** Whether it is the name of an operator and not of a field. No field name starts with "$". */
export function isOperatorName(name: string): boolean {
  return name.startsWith('$');
}

/** The operations of a PATCH in the order written, each parsed when it is requested. */
export function* parseOperations(body: Json): Generator<PatchOperation, void> {
  for (const [operator, operands] of Object.entries(body)) {
    if (!isOperatorName(operator)) continue;
    if (!isPatchOperator(operator)) {
      throw new PatchError(
        `"${operator.slice(0, 100)}" is not an operator. Operators: ${patchOperators.join(', ')}.`,
      );
    }
    const entries = entriesOf(operator, operands);
    if (!entries) throw new PatchError(formOf(operator));
    for (const [field, operand] of entries) {
      yield { operator, field, path: pathOf(operator, field), operand };
    }
  }
}

/** What the operators of a PATCH touch. Malformed ones are skipped: `parseOperations` rejects them. */
export function* touchedByOperators(
  body: Json,
): Generator<{ operator: string; path: Path; operand: unknown }, void> {
  for (const [operator, operands] of Object.entries(body)) {
    if (!isOperatorName(operator)) continue;
    for (const [field, operand] of entriesOf(operator, operands) ?? []) {
      const path = pathIn(field);
      if (!(path instanceof QueryError)) yield { operator, path, operand };
    }
  }
}

/** The fields of an operator, each with its operand; undefined if it is malformed. `$unset` also takes a list of fields. */
function entriesOf(operator: string, operands: unknown): [field: string, operand: unknown][] | undefined {
  if (typeof operands !== 'object' || operands === null) return undefined;
  if (!Array.isArray(operands)) return Object.entries(operands);
  if (operator !== '$unset' || !operands.every((field) => typeof field === 'string')) return undefined;
  return operands.map((field) => [field, true]);
}

function formOf(operator: PatchOperator): string {
  const list = operator === '$unset' ? ', or a list of fields: {"$unset": ["field"]}' : '';
  return `${operator} takes an object of fields: {"${operator}": {"field": value}}${list}.`;
}

/** The operand of a list operator, or with `{"$each": […]}` several. */
export function operandValues({ operator, operand }: PatchOperation): readonly unknown[] {
  if (isEach(operand)) return operand.$each;
  if (typeof operand === 'object' && operand !== null && Object.hasOwn(operand, '$each')) {
    throw new PatchError(`${operator}: "$each" takes an array and must be the only key: {"$each": [1, 2]}.`);
  }
  return [operand];
}

/** Whether an operand stands for several values. */
export function isEach(operand: unknown): operand is { readonly $each: readonly unknown[] } {
  if (typeof operand !== 'object' || operand === null || !('$each' in operand)) return false;
  return Array.isArray(operand.$each) && Object.keys(operand).length === 1;
}

function isPatchOperator(name: string): name is PatchOperator {
  return patchOperators.some((known) => known === name);
}

function pathOf(operator: PatchOperator, field: string): Path {
  const path = pathIn(field);
  if (path instanceof QueryError) {
    throw new PatchError(`${operator} on "${field.slice(0, 100)}": ${path.message}`);
  }
  return path;
}

function pathIn(field: string): Path | QueryError {
  try {
    return parsePath(field, field);
  } catch (error) {
    if (error instanceof QueryError) return error;
    throw error;
  }
}
