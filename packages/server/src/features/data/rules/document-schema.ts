import { createContext, Script } from 'node:vm';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';
import { canonicalJson } from '../../../platform/json.ts';
import type { Collection } from '../collections/index.ts';
import { type Fields, isObject, parseFields } from '../records/index.ts';
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

/**
 * Checks documents against the schemas of their collections. How long that takes is decided by a project's schema: a few
 * references that double each other are enough to keep a processor busy for years. So the work runs where it can be
 * stopped.
 */
export class DocumentSchemas {
  readonly #validators = new LRUCache<string, ValidateFunction>({ max: 1000 });
  readonly #sandbox: { work: () => unknown } = { work: () => undefined };
  readonly #context = createContext(this.#sandbox);

  /** Refuses a schema that could not be used. */
  check(schema: unknown): void {
    const text = JSON.stringify(schema);
    if (text.length > maxLength) throw invalidSchema(`it has more than ${maxLength} characters.`);
    try {
      this.#validatorOf(text);
    } catch (error) {
      if (isTimeout(error)) throw invalidSchema('it takes too long to read.');
      throw invalidSchema(isObject(error) ? String(error.message) : String(error));
    }
  }

  /** Refuses a document that does not fit the collection's schema, if it has one. */
  requireFit({ settings }: Collection, fields: Readonly<Fields>): void {
    if (settings.schema === undefined) return;
    const first = this.#firstMismatch(JSON.stringify(settings.schema), fields);
    if (!first) return;
    const { instancePath, message = 'does not fit', params } = first;
    const missing: unknown = params.missingProperty;
    const path = instancePath.split('/').slice(1);
    if (typeof missing === 'string') throw schemaMismatch([...path, missing].join('.'), 'is required');
    throw schemaMismatch(path.join('.'), message);
  }

  #firstMismatch(text: string, fields: Readonly<Fields>): ErrorObject | undefined {
    const validate = this.#validatorOf(text);
    try {
      return this.#bounded(limits.checking, () => (validate(fields) ? undefined : validate.errors?.[0]));
    } catch (error) {
      if (!isTimeout(error)) throw error;
      // It was stopped anywhere: what it remembers may be half done.
      this.#validators.delete(text);
      throw schemaMismatch('', 'takes too long to check against the schema of the collection');
    }
  }

  #validatorOf(text: string): ValidateFunction {
    const known = this.#validators.get(text);
    if (known) return known;
    const validate = this.#bounded(limits.reading, () => newValidator(text));
    this.#validators.set(text, validate);
    return validate;
  }

  /** Does work, and gives up where it takes too long. */
  #bounded<Result>(milliseconds: number, work: () => Result): Result {
    this.#sandbox.work = work;
    return script.runInContext(this.#context, { timeout: milliseconds }) as Result;
  }
}

const script = new Script('work()');

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
  const validate = ajv.compile(parseFields(text));
  if ('$async' in validate) throw new Error('"$async" is not supported.');
  return validate;
}

function isUnique(isAsked: boolean, elements: readonly unknown[]): boolean {
  return !isAsked || new Set(elements.map(canonicalJson)).size === elements.length;
}

function isTimeout(error: unknown): boolean {
  // Not by its class: it comes from the context that the work runs in.
  return isObject(error) && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}
