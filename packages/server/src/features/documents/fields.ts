import { documentBodyLimit } from '../../platform/http/server.ts';
import type { Fields } from './document.ts';
import { documentTooLarge, invalidOperator } from './errors.ts';

/** Set by the service; ignored in bodies. */
const ownedFields = new Set(['id', 'createdAt', 'updatedAt']);

export const isOwnedField = (name: string): boolean => ownedFields.has(name);

/** The fields of a body that replaces a whole document: no operators. */
export function plainFields(body: Fields): Fields {
  const { fields, operators } = splitBody(body);
  const [operator] = Object.keys(operators);
  if (operator !== undefined) {
    throw invalidOperator(
      `"${operator}" is an operator, which only PATCH takes. Field names do not start with "$".`,
    );
  }
  return fields;
}

/** Tells fields from operators, and leaves out what the service owns. */
export function splitBody(body: Fields): { fields: Fields; operators: Fields } {
  const fields: Fields = {};
  const operators: Fields = {};
  for (const [name, value] of Object.entries(body)) {
    if (name.startsWith('$')) operators[name] = value;
    else if (!isOwnedField(name)) fields[name] = value;
  }
  return { fields, operators };
}

/** The text to store; refuses a document over its limit. */
export function fieldsJson(fields: Fields): string {
  const text = JSON.stringify(fields);
  const size = text.length * 3 > documentBodyLimit ? Buffer.byteLength(text) : text.length;
  const stored = /e[+-]\d/.test(text) ? size + writtenOut(fields) : size;
  if (stored > documentBodyLimit) throw documentTooLarge();
  return text;
}

/** PostgreSQL writes 1e+300 with all its zeros: how many characters that adds, since a document is read as it writes it. */
function writtenOut(value: unknown): number {
  if (typeof value === 'number') {
    const exponent = /e([+-]\d+)$/.exec(String(value))?.[1];
    return exponent === undefined ? 0 : Math.abs(Number(exponent));
  }
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, member) => sum + writtenOut(member), 0);
}
