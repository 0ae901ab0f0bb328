import type { FieldShape } from '@plinth/protocol';
import type { FieldNode } from './type-tree.ts';

/** Texts of so few values, in so many documents, are taken for a choice. */
const choice = { values: 8, seen: 50 };
/** An object with more keys is a map. */
const mapKeys = 100;

/** The type of an object with these fields, as it was seen. */
export function inferredObject(fields: ReadonlyMap<string, FieldNode>, indent: string): string {
  if (fields.size >= mapKeys) return '{ [key: string]: unknown }';
  if (fields.size === 0) return 'Record<string, unknown>';
  const inner = `${indent}  `;
  const lines = Array.from(fields, ([name, node]) => {
    const isAlways = node.shape?.share === 1;
    return `${inner}${propertyName(name)}${isAlways ? '' : '?'}: ${inferredType(node, inner)};`;
  });
  return `{\n${lines.join('\n')}\n${indent}}`;
}

/** The union of what was seen at a field. */
function inferredType(node: FieldNode, indent: string): string {
  const { shape } = node;
  const types = Object.keys(shape?.types ?? {}).map((type) => {
    switch (type) {
      case 'string':
        return stringType(shape);
      case 'array':
        return node.elements ? `${grouped(inferredType(node.elements, indent))}[]` : 'unknown[]';
      case 'object':
        return inferredObject(node.fields, indent);
      default:
        return type;
    }
  });
  // What is absent is said last.
  const sorted = types.toSorted((a, b) => Number(a === 'null') - Number(b === 'null'));
  return sorted.length === 0 ? 'unknown' : sorted.join(' | ');
}

function stringType(shape: FieldShape | undefined): string {
  const link = linkType(shape?.links);
  if (link !== undefined) return link;
  const values = shape?.values?.filter((value) => typeof value === 'string') ?? [];
  const isChoice = values.length > 1 && values.length <= choice.values && (shape?.count ?? 0) >= choice.seen;
  return isChoice ? values.map(literal).join(' | ') : 'string';
}

/** The type of ids of these collections; undefined if there are none. */
export function linkType(links: readonly string[] | undefined): string | undefined {
  if (!links || links.length === 0) return undefined;
  return links.map((target) => (target === '@user' ? 'UserId' : `Id<${literal(target)}>`)).join(' | ');
}

export const literal = (value: string | number | boolean | null): string =>
  typeof value === 'string'
    ? `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
    : String(value);

export const propertyName = (name: string): string =>
  /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name);

/** A union in brackets. */
export const grouped = (type: string): string => (type.includes(' | ') ? `(${type})` : type);
