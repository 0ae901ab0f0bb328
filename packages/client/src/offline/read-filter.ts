import { type Operator, splitEscaped } from '@plinth/protocol';
import { needsPrefix } from '../query-text.ts';

/** One condition of a filter. */
export interface ReadCondition {
  readonly path: readonly string[];
  readonly operator: Operator;
  /** Compares as text what reads as a number. */
  readonly isText: boolean;
  readonly text: string;
}

const suffix = /^(.*)__(eq|ne|gte?|lte?|contains|startswith|endswith|in|notin|isnull)(:text)?$/s;

/**
 * Reads a filter that the server has taken: all of these, of each any. What it would refuse never gets here, so nothing
 * is checked, which the reader of `protocol` spends most of its length on.
 */
export function readFilter(filter: string): readonly (readonly ReadCondition[])[] {
  const all: ReadCondition[][] = [];
  const groups = new Map<string, ReadCondition[]>();
  for (const piece of filter.split('&').filter(Boolean)) {
    const [name = '', ...value] = piece.split('=');
    const [, group, rest = ''] = /^(?:\[or:?([^\]]*)\])?(.*)$/s.exec(decode(name)) ?? [];
    const conditions = readName(rest, decode(value.join('=')));
    const known = group === undefined ? undefined : groups.get(group);
    if (known) known.push(...conditions);
    else all.push(conditions);
    if (group !== undefined && !known) groups.set(group, conditions);
  }
  return all;
}

function readName(name: string, text: string): ReadCondition[] {
  const isLiteral = name.startsWith('field:');
  const fields = isLiteral ? [name.slice('field:'.length)] : name.split('__or__');
  const last = fields.pop() ?? '';
  const [, field = '', operator, mark] = suffix.exec(last) ?? [];
  // Behind `field:` a suffix is part of the name, unless the name needs the prefix without it.
  const hasSuffix = operator !== undefined && (!isLiteral || needsPrefix.test(field));
  fields.push(hasSuffix ? field : last);
  return fields.map((path) => ({
    path: splitEscaped(path, '.'),
    operator: hasSuffix ? (operator as Operator) : 'eq',
    isText: hasSuffix && mark !== undefined,
    text,
  }));
}

const decode = (text: string) => decodeURIComponent(text.replace(/\+/g, ' '));
