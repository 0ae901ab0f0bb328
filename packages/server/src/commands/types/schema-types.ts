import { grouped, linkType, literal, propertyName } from './infer-types.ts';
import type { FieldNode } from './type-tree.ts';

type Schema = Readonly<Record<string, unknown>>;

interface Reading {
  readonly root: Schema;
  /** References that are being followed: one of them again is a circle. */
  readonly within: readonly string[];
}

/** The type that a JSON Schema describes. Strings that were seen to be links become ids. What has no type is unknown. */
export function schemaType(schema: Schema, seen: FieldNode | undefined, indent: string): string {
  return typeOf(schema, { root: schema, within: [] }, seen, indent);
}

function typeOf(schema: unknown, reading: Reading, seen: FieldNode | undefined, indent: string): string {
  if (!isSchema(schema)) return 'unknown';
  if (typeof schema.$ref === 'string') return referred(schema.$ref, reading, seen, indent);
  if (Array.isArray(schema.enum)) return schema.enum.map(constant).join(' | ') || 'never';
  if ('const' in schema) return constant(schema.const);
  for (const name of ['anyOf', 'oneOf'])
    if (Array.isArray(schema[name])) return union(schema[name], reading, seen, indent);
  if (Array.isArray(schema.type)) {
    const each = schema.type.map((type) => ({ ...schema, type: type as unknown }));
    return union(each, reading, seen, indent);
  }
  const type = typeof schema.type === 'string' ? schema.type : schema.properties && 'object';
  switch (type) {
    case 'string':
      return linkType(seen?.shape?.links) ?? 'string';
    case 'number':
    case 'integer':
      return 'number';
    case 'boolean':
    case 'null':
      return type;
    case 'array':
      return `${grouped(typeOf(schema.items, reading, seen?.elements, indent))}[]`;
    case 'object':
      return objectType(schema, reading, seen, indent);
    default:
      return 'unknown';
  }
}

function union(
  parts: readonly unknown[],
  reading: Reading,
  seen: FieldNode | undefined,
  indent: string,
): string {
  return [...new Set(parts.map((part) => typeOf(part, reading, seen, indent)))].join(' | ') || 'never';
}

function objectType(schema: Schema, reading: Reading, seen: FieldNode | undefined, indent: string): string {
  const properties = isSchema(schema.properties) ? schema.properties : {};
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(([name, property]) => {
    const type = typeOf(property, reading, seen?.fields.get(name), inner);
    return `${inner}${propertyName(name)}${required.has(name) ? '' : '?'}: ${type};`;
  });
  if (lines.length === 0) return `Record<string, ${othersOf(schema, reading, inner)}>`;
  return `{\n${lines.join('\n')}\n${indent}}`;
}

function othersOf({ additionalProperties }: Schema, reading: Reading, indent: string): string {
  return isSchema(additionalProperties)
    ? typeOf(additionalProperties, reading, undefined, indent)
    : 'unknown';
}

function referred(
  reference: string,
  { root, within }: Reading,
  seen: FieldNode | undefined,
  indent: string,
): string {
  if (within.includes(reference) || !/^#(\/|$)/.test(reference)) return 'unknown';
  let found: unknown = root;
  for (const step of reference.split('/').slice(1)) {
    const key = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
    found = isSchema(found) ? found[key] : undefined;
  }
  return typeOf(found, { root, within: [...within, reference] }, seen, indent);
}

function constant(value: unknown): string {
  const isPlain = value === null || ['string', 'number', 'boolean'].includes(typeof value);
  return isPlain ? literal(value as string | number | boolean | null) : 'unknown';
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
