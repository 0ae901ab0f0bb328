import { Ajv } from 'ajv';
import type { Static, TSchema } from 'typebox';
import { AppError } from '../../platform/errors.ts';
import { validationProblem } from '../../platform/http/validation-problem.ts';
import { parseJsonText } from '../../platform/json.ts';

/** Something in a file that cannot be used; the message says where in the file. */
export class FileMistake extends Error {}

/** Reads JSON that has to fit a schema. */
export function readJsonFile<Schema extends TSchema>(text: string, schema: Schema): Static<Schema> {
  const value = parse(text);
  const check = new Ajv({ strict: false }).compile<Static<Schema>>(schema);
  if (check(value)) return value;
  // An alternative that does not fit is told before the whole that has no other.
  const misfit = check.errors?.at(-1)?.keyword === 'anyOf' ? check.errors.at(-1) : check.errors?.[0];
  if (!misfit) throw new FileMistake('It is not valid.');
  const { additionalProperty } = misfit.params as { additionalProperty?: string };
  const keys = misfit.instancePath.split('/').slice(1);
  const line = lineOf(text, additionalProperty === undefined ? keys : [...keys, additionalProperty]);
  throw new FileMistake(`line ${line}: ${validationProblem('file', misfit, schema)}`);
}

function parse(text: string): unknown {
  try {
    return parseJsonText(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new FileMistake(
      `${placeIn(text, error.message)}: This is not valid JSON: ${reasonIn(error.message)}.`,
    );
  }
}

/** `line 3, column 7`: where the parser says it stopped, or the end. */
function placeIn(text: string, message: string): string {
  const position = /at position (\d+)/.exec(message)?.[1];
  const before = text.slice(0, position === undefined ? text.length : Number(position)).split('\n');
  return `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
}

const reasonIn = (message: string) =>
  message.replace(/,? (?:in JSON )?at position.*$|, ".*is not valid JSON$/s, '').replace(/\.$/, '');

/** The line of the last of these names, each looked for behind the one before. */
function lineOf(text: string, names: readonly string[]): number {
  let at = 0;
  for (const name of names) {
    const found = text.indexOf(JSON.stringify(name), at);
    if (found !== -1) at = found;
  }
  return text.slice(0, at).split('\n').length;
}

/** Does a check of the service's own, whose refusal is a mistake in a file. */
export function asMistake<Result>(check: () => Result): Result {
  try {
    return check();
  } catch (error) {
    if (error instanceof AppError) throw new FileMistake(error.message);
    throw error;
  }
}
