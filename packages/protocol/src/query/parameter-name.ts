import { parsePath } from './paths.ts';
import { QueryError } from './query-error.ts';
import { comparisons, type Operator, operators, type Path } from './syntax.ts';

export interface ParameterName {
  /** The OR group: '' is the plain `[or]` set; absent: not in a group. */
  readonly group?: string;
  /** More than one for `a__or__b`: any of them may match. */
  readonly paths: readonly Path[];
  readonly operator: Operator;
  /** Compares as text, even if the value looks like a number. */
  readonly isText?: true;
}

/** What a suffix says: `gte`, or `gte:text`. */
type Suffix = Pick<ParameterName, 'operator' | 'isText'>;

const equality: Suffix = { operator: 'eq' };

/** Parameters with a special meaning. A field of the same name is written `field:limit`. */
export const reservedNames = new Set(['limit', 'offset', 'orderBy', 'order', 'populate', 'cursor', 'select']);

const knownOperators = new Set<string>(operators);
const groupPrefix = /^\[or(?::([^\]]*))?\]/;
const groupName = /^[A-Za-z0-9_-]{1,64}$/;

/** Reads `[or:group]a.b__or__c__contains` and the like. */
export function parseParameterName(parameter: string): ParameterName {
  const { group, rest } = splitGroup(parameter);
  const { fields, suffix } = rest.startsWith('field:')
    ? splitLiteral(rest.slice('field:'.length))
    : splitSuffixes(parameter, rest);
  return {
    ...(group !== undefined && { group }),
    paths: fields.map((field) => parsePath(parameter, field)),
    ...suffix,
  };
}

function splitGroup(parameter: string): { group?: string; rest: string } {
  if (!parameter.startsWith('[')) return { rest: parameter };
  const prefix = groupPrefix.exec(parameter);
  if (!prefix) throw new QueryError(parameter, 'Write a group as [or] or [or:name] before the field.');
  const name = prefix[1];
  if (name !== undefined && !groupName.test(name)) {
    throw new QueryError(parameter, 'A group name must have 1 to 64 letters, digits, "_" or "-".');
  }
  const rest = parameter.slice(prefix[0].length);
  if (rest.startsWith('[')) throw new QueryError(parameter, 'A condition can be in at most one group.');
  return { group: name ?? '', rest };
}

/**
 * After `field:` the text is the field's own name. One operator suffix is still read where the name needs the
 * prefix without it (`field:limit__gt`, `field:odd__name__gt`), so every field can be used with every operator.
 */
function splitLiteral(text: string): { fields: string[]; suffix: Suffix } {
  const at = text.lastIndexOf('__');
  const field = text.slice(0, at);
  const suffix = readSuffix(text.slice(at + 2));
  const needsPrefix =
    reservedNames.has(field) || field.includes('__') || field.startsWith('field:') || isUnusual(field);
  if (at > 0 && suffix && needsPrefix) return { fields: [field], suffix };
  return { fields: [text], suffix: equality };
}

function splitSuffixes(parameter: string, text: string): { fields: string[]; suffix: Suffix } {
  if (reservedNames.has(text)) {
    throw new QueryError(
      parameter,
      `"${text}" cannot be in a group. For a field of that name, write field:${text}.`,
    );
  }
  const fields = text.split('__or__');
  const last = fields.pop() ?? '';
  const at = last.lastIndexOf('__');
  const suffix = at === -1 ? equality : suffixOf(parameter, text, last.slice(at + 2));
  fields.push(at === -1 ? last : last.slice(0, at));
  if (fields.some(isUnusual)) throw new QueryError(parameter, correctionOf(text));
  if (fields.some((field) => field.includes('__'))) {
    throw new QueryError(parameter, 'A condition can have only one operator.');
  }
  return { fields, suffix };
}

/**
 * Does a name look like the language of another service, or like a mistake? As a field that no document has, it would only
 * make the list empty. A field that is really called so is written with `field:`.
 */
export function isUnusual(name: string): boolean {
  return /[\s()[\]{}<>!|]|^-/.test(name);
}

/** How a name was probably meant. */
function correctionOf(name: string): string {
  const [, base = '', key = ''] = /^([\w.]+)\[_?(\w*)\]$/.exec(name) ?? [];
  const [, compared, sign, value = ''] = /^([\w.]+)\s*([<>!])(.*)$/s.exec(name) ?? [];
  if (reservedNames.has(base)) return `Write it without brackets: ${base}=a,b.`;
  if (isOperator(key)) return `Operators are suffixes: ${base}__${key}=….`;
  if (compared !== undefined && sign === '!') return `Write ${compared}__ne=….`;
  if (compared !== undefined) {
    const operator = `${sign === '<' ? 'lt' : 'gt'}${value === '' ? 'e' : ''}`;
    return `Write ${compared}__${operator}=${value === '' ? '…' : value}.`;
  }
  return `For a field of that name, write field:${name}.`;
}

function suffixOf(parameter: string, text: string, suffix: string): Suffix {
  const known = readSuffix(suffix);
  if (known) return known;
  if (suffix.endsWith(':text')) {
    const names = [...comparisons].map((name) => `__${name}:text`).join(', ');
    throw new QueryError(parameter, `":text" only works with comparisons: ${names}.`);
  }
  throw new QueryError(
    parameter,
    `"__${suffix}" is not an operator. Operators: ${operators.map((name) => `__${name}`).join(', ')}. For a field of that name, write field:${text}.`,
  );
}

function readSuffix(text: string): Suffix | undefined {
  if (isOperator(text)) return { operator: text };
  const [, name = ''] = /^(\w+):text$/.exec(text) ?? [];
  return isOperator(name) && comparisons.has(name) ? { operator: name, isText: true } : undefined;
}

function isOperator(text: string): text is Operator {
  return knownOperators.has(text);
}
