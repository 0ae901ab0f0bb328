import { createContext, Script } from 'node:vm';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';
import { canonicalJson, parseJsonText } from '../../platform/json.ts';
import type { Collection } from '../collections/index.ts';
import { invalidSchema, schemaMismatch } from './errors.ts';

const maxLength = 65_536;
/** How long reading a schema and checking one document may take. */
const limits = { reading: 2000, checking: 500 };

// Patterns run in linear time: a project's regular expression must not stall the other projects.
const regExp = Object.assign(
  (pattern: string) => {
    const compiled = RE2JS.compile(pattern);
    // Ajv tells patterns apart by their text.
    return { test: (text: string) => compiled.matcher(text).find(), toString: () => pattern };
  },
  { code: 'linear' },
);

const compiled = new LRUCache<string, ValidateFunction>({ max: 1000 });

/** Refuses a schema that could not be used. */
export function checkSchema(schema: unknown): void {
  const text = JSON.stringify(schema);
  if (text.length > maxLength) throw invalidSchema(`it has more than ${maxLength} characters.`);
  try {
    validatorOf(text);
  } catch (error) {
    throw invalidSchema(isTimeout(error) ? 'it takes too long to read.' : (error as Error).message);
  }
}

/** Refuses a document that does not fit the collection's schema, if it has one. */
export function requireFit({ settings }: Collection, fields: Readonly<Record<string, unknown>>): void {
  if (settings.schema === undefined) return;
  const text = JSON.stringify(settings.schema);
  const first = firstMismatch(text, fields);
  if (!first) return;
  const missing = (first.params as { missingProperty?: string } | undefined)?.missingProperty;
  const path = [...first.instancePath.split('/').slice(1), ...(missing === undefined ? [] : [missing])];
  throw schemaMismatch(
    path.join('.'),
    missing === undefined ? (first.message ?? 'does not fit') : 'is required',
  );
}

function firstMismatch(text: string, fields: Readonly<Record<string, unknown>>) {
  const validate = validatorOf(text);
  try {
    return bounded(limits.checking, () => (validate(fields) ? undefined : validate.errors?.[0]));
  } catch (error) {
    if (!isTimeout(error)) throw error;
    // It was stopped anywhere: what it remembers may be half done.
    compiled.delete(text);
    throw schemaMismatch('', 'takes too long to check against the schema of the collection');
  }
}

function validatorOf(text: string): ValidateFunction {
  const known = compiled.get(text);
  if (known) return known;
  const validate = bounded(limits.reading, () => newValidator(text));
  compiled.set(text, validate);
  return validate;
}

function newValidator(text: string): ValidateFunction {
  // One instance each: an $id of one project must not be visible to another.
  const ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: false, code: { regExp } });
  // Ajv's own compares every element with every other.
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    validate: isUnique,
    error: { message: 'must not have equal elements' },
  });
  const validate = ajv.compile(parseJsonText(text) as object);
  if ('$async' in validate) throw new Error('"$async" is not supported.');
  return validate;
}

function isUnique(isAsked: boolean, elements: readonly unknown[]): boolean {
  return !isAsked || new Set(elements.map(canonicalJson)).size === elements.length;
}

const guarded = createContext({ work: undefined as (() => unknown) | undefined });
const script = new Script('work()');

/**
 * Runs work that a project's schema decides the length of, and gives up where it takes too long: a few references that
 * double each other are enough to keep a processor busy for years.
 */
function bounded<Result>(milliseconds: number, work: () => Result): Result {
  guarded.work = work;
  return script.runInContext(guarded, { timeout: milliseconds }) as Result;
}

function isTimeout(error: unknown): boolean {
  return (error as { code?: string }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}
