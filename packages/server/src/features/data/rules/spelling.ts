import { splitEscaped } from '@plinth/protocol';
import { isReference } from './parse-rule.ts';

/*
 * A mistyped condition compares with something that no document has. That is not only useless: `status__ne= draft` lets
 * everyone see everything. So what looks like the language of another service, or has a blank too many, is refused when a
 * rule is saved. Percent-encoded, every character stands for itself.
 */

/** What looks mistyped in a rule, where, and how it is written; undefined if nothing does. */
export function findMisspelling(rule: string): string | undefined {
  for (const piece of rule.split('&')) {
    const problem = misspelt(piece);
    if (problem !== undefined) return piece === '' ? problem : `"${piece.slice(0, 200)}": ${problem}`;
  }
  return undefined;
}

function misspelt(piece: string): string | undefined {
  if (piece === '') return 'join conditions with a single "&".';
  const at = piece.indexOf('=');
  if (at === -1) return misspeltWithoutEquals(piece);
  const name = piece.slice(0, at);
  const value = piece.slice(at + 1);
  return misspeltComparison(name, value) ?? misspeltName(name, value) ?? misspeltValue(name, value);
}

function misspeltWithoutEquals(piece: string): string {
  const comparison = /^([^<>]*)([<>])(.*)$/s.exec(piece);
  if (!comparison) return 'write a condition as field=value.';
  const [, name = '', sign, value = ''] = comparison;
  return write(`${name.trim()}__${sign === '<' ? 'lt' : 'gt'}=${value.trim()}`);
}

const suffixes: Readonly<Record<string, string>> = { '!': '__ne', '<': '__lte', '>': '__gte' };

/** `!=`, `<=`, `>=` and `==`: operators are suffixes of the name here. */
function misspeltComparison(name: string, value: string): string | undefined {
  const sign = name.at(-1) ?? '';
  const suffix = suffixes[sign];
  if (suffix) return write(`${name.slice(0, -1).trim()}${suffix}=${value.trim()}`);
  if (value.startsWith('=')) return write(`${name.trim()}=${value.replace(/^=+/, '').trim()}`);
  return undefined;
}

/** In a query string "+" is a blank too. */
const blankAround = /^[\s+]|[\s+]$/;

function misspeltName(name: string, value: string): string | undefined {
  const field = name.replace(/^\[or[^\]]*\]/, '');
  const own = field.replace(/^field:/, '');
  if ([name, field, own, value].some((text) => blankAround.test(text))) {
    const spelt = `${name.replaceAll(/[\s+]/g, '')}=${value.replaceAll(/^[\s+]+|[\s+]+$/g, '')}`;
    return `${write(spelt)} Write a literal space as %20 and a plus sign as %2B.`;
  }
  if (own !== field || !/[\s()<>!|"'`]/.test(field)) return undefined;
  return 'the left side must be a field name or a value of the caller, such as @user.role. Write a name with other characters as field:…, percent-encoded.';
}

function misspeltValue(name: string, value: string): string | undefined {
  if (value.includes('||')) return 'write OR as [or]a=1&[or]b=2. Write a literal "|" as %7C.';
  if (value.includes('=')) {
    return 'join conditions with "&", or write alternatives as [or]a=1&[or]b=2. Write a literal "=" as %3D.';
  }
  if (isWrapped(value, brackets))
    return `${write(`${name}=${value.slice(1, -1)}`)} Percent-encode literal brackets.`;
  const isList = /__(?:in|notin)$/.test(name);
  const elements = isList ? splitEscaped(value, ',').map((element) => element.trim()) : [value];
  const spelt = elements.map(speltValue);
  if (spelt.every((element, at) => element === elements[at])) return undefined;
  return `${write(`${name}=${spelt.join(',')}`)} Percent-encode literal quotes and "$".`;
}

const quotes = ['""', "''", '``', '“”', '‘’', '«»'];
const brackets = ['[]', '()', '{}'];

function isWrapped(value: string, pairs: readonly string[]): boolean {
  return value.length > 1 && pairs.includes(`${value[0]}${value.at(-1)}`);
}

/** The value as it was probably meant: without quotes, and with the @ that values of the caller begin with. */
function speltValue(value: string): string {
  if (isWrapped(value, quotes)) return speltValue(value.slice(1, -1));
  const unmarked = /^[${\s]*((?:user|now)\b[\w.]*)[}\s]*$/.exec(value)?.[1];
  if (unmarked === undefined) return value;
  return value !== unmarked || (unmarked !== 'now' && isReference(`@${unmarked}`)) ? `@${unmarked}` : value;
}

function write(spelt: string): string {
  return `write ${spelt.slice(0, 200)} instead.`;
}
