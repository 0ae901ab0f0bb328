import { isOperatorName } from '@plinth/protocol';
import { refuseSlowToRead } from '../../../platform/http/parse-json.ts';
import { jsonBodyLimit } from '../../../platform/http/server.ts';
import { parseJsonText } from '../../../platform/json.ts';
import { documentTooLarge, invalidOperator } from './errors.ts';
import { type Fields, isObject } from './paths.ts';

/** Set by the service; ignored in bodies. */
export const ownedFields = ['id', 'createdAt', 'updatedAt'] as const;

export type OwnedField = (typeof ownedFields)[number];

export function isOwnedField(name: string): name is OwnedField {
  return name === 'id' || name === 'createdAt' || name === 'updatedAt';
}

/** The fields of a body that replaces a whole record: no operators. */
export function plainFields(body: Readonly<Fields>): Fields {
  const fields: Fields = {};
  for (const [name, value] of Object.entries(body)) {
    if (isOperatorName(name)) {
      throw invalidOperator(
        `"${name}" is an operator, and only PATCH accepts operators. Field names cannot start with "$".`,
      );
    }
    if (!isOwnedField(name)) fields[name] = value;
  }
  return fields;
}

/** The fields that a stored text holds. */
export function parseFields(text: string): Fields {
  const value = parseJsonText(text);
  if (!isObject(value)) throw new Error('The text of a record is not a JSON object.');
  return value;
}

/** The text to store; refuses a record over its limit. */
export function fieldsJson(fields: Readonly<Fields>): string {
  const text = JSON.stringify(fields);
  const size = text.length * 3 > jsonBodyLimit ? Buffer.byteLength(text) : text.length;
  const stored = /e[+-]\d/.test(text) ? size + writtenOut(fields) : size;
  if (stored > jsonBodyLimit) throw documentTooLarge();
  refuseSlowToRead(text);
  return text;
}

/** PostgreSQL writes 1e+300 with all its zeros, and a record is read as it writes it: how many characters that adds. */
function writtenOut(value: unknown): number {
  if (typeof value === 'number') {
    const exponent = /e([+-]\d+)$/.exec(String(value))?.[1];
    return exponent === undefined ? 0 : Math.abs(Number(exponent));
  }
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, member) => sum + writtenOut(member), 0);
}
