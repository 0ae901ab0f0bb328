import { defineError } from '../errors.ts';
import { parseJsonText } from '../json.ts';
import { invalidBody } from './errors.ts';
import { hasMoreNames, measureJson } from './measure-json.ts';

export const invalidJsonValue = defineError('invalid_json_value', (at: string, problem: string) => ({
  message: at === '' ? problem : `${problem} (at ${at})`,
  details: { path: at },
}));

/** Levels of nested objects and arrays. @limit invalid_json_value */
export const maxDepth = 32;
const tooDeep = `Values are nested more than ${maxDepth} levels deep.`;
/** Distinct field names in one document, including nested objects. @limit invalid_json_value */
const maxNames = 20_000;
const tooManyNames = `A document can have at most ${maxNames} different field names, including nested ones. Use an array, or separate documents.`;
/** A shorter text cannot hold enough of anything to take long. */
const shortText = 16_384;
const refusedKeys = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Parses a body and refuses what could not be stored and given back unchanged. `maxLevels` counts from the root. `at` is
 * where a part of a body is in the whole.
 */
export function parseJson(text: string, maxLevels: number, at: readonly (string | number)[] = []): unknown {
  refuseSlowToRead(text, maxLevels, at);
  let value: unknown;
  try {
    value = parseJsonText(text);
  } catch (error) {
    throw invalidBody(`The body is not valid JSON: ${error instanceof Error ? error.message : ''}`);
  }
  const walk = new ValueCheck(maxLevels, at);
  walk.visit(value, 0);
  if (walk.sawLargeInteger) refuseInexactIntegers(text);
  return value;
}

/** Some texts take a hundred times as long to read as others of their length: many different names, and deep nesting. */
export function refuseSlowToRead(
  text: string,
  maxLevels = maxDepth,
  at: readonly (string | number)[] = [],
): void {
  if (text.length <= shortText) return;
  const { names, levels } = measureJson(text);
  if (levels > maxLevels) throw invalidJsonValue(at.join('.'), tooDeep);
  if (names > maxNames && hasMoreNames(text, maxNames)) throw invalidJsonValue(at.join('.'), tooManyNames);
}

/** Refuses a value that the service made itself but no caller could have sent. */
export function checkJsonValue(value: unknown): void {
  new ValueCheck(maxDepth, []).visit(value, 0);
}

class ValueCheck {
  readonly #maxLevels: number;
  readonly #path: (string | number)[];
  sawLargeInteger = false;

  constructor(maxLevels: number, at: readonly (string | number)[]) {
    this.#path = [...at];
    this.#maxLevels = maxLevels;
  }

  visit(value: unknown, level: number): void {
    if (typeof value === 'string') this.#string(value);
    else if (typeof value === 'number') this.#number(value);
    else if (typeof value === 'object' && value !== null) this.#container(value, level + 1);
  }

  #string(value: string): void {
    if (value.includes('\0'))
      throw this.#refuse('A string contains the character U+0000, which cannot be stored.');
    if (!value.isWellFormed()) throw this.#refuse('A string contains half of a surrogate pair.');
  }

  #number(value: number): void {
    if (!Number.isFinite(value)) throw this.#refuse('A number is too large.');
    if (!Number.isInteger(value) || Number.isSafeInteger(value)) return;
    // It would be given back as a plain integer, which nobody could send again.
    if (Math.abs(value) < writtenWithExponent) throw this.#refuse(tooLong);
    this.sawLargeInteger = true;
  }

  #container(value: object, level: number): void {
    if (level > this.#maxLevels) throw this.#refuse(tooDeep);
    if (Array.isArray(value)) {
      for (let at = 0; at < value.length; at += 1) this.#member(at, value[at], level);
      return;
    }
    for (const [key, member] of Object.entries(value)) {
      if (refusedKeys.has(key)) throw this.#refuse(`A field cannot be named "${key}".`);
      this.#string(key);
      this.#member(key, member, level);
    }
  }

  #member(key: string | number, member: unknown, level: number): void {
    this.#path.push(key);
    this.visit(member, level);
    this.#path.pop();
  }

  #refuse(problem: string) {
    return invalidJsonValue(this.#path.slice(0, 8).join('.').slice(0, 200), problem);
  }
}

/** From here on, JSON.stringify writes numbers with an exponent. */
const writtenWithExponent = 1e21;
const tooLong = 'An integer is beyond ±9007199254740991 and would lose precision. Send it as a string.';

// Strings are matched to be passed over; what is left are whole numbers of 22 digits or more.
const longIntegers = /"[^"\\]*(?:\\.[^"\\]*)*"|(?<![\d.eE+-])-?\d{22,}(?![\d.eE])/g;

/** Only the source text tells an integer of many digits (which a double cannot hold) from 1e21 (which it can). */
function refuseInexactIntegers(text: string): void {
  for (const [literal] of text.matchAll(longIntegers)) {
    if (!literal.startsWith('"')) throw invalidJsonValue('', tooLong);
  }
}
