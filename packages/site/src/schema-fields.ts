/** What the reference shows of a JSON Schema. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly description?: string;
}

interface Field {
  /** Dotted; `[]` stands for each item of a list. */
  readonly path: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
}

type Schemas = Readonly<Record<string, Schema>>;

/** What is deeper is seen in the example. */
const deepest = 3;

/** Every field of an object, or of the objects in a list, with those inside it. */
export function fieldsOf(schema: Schema, schemas: Schemas, prefix = '', depth = 1): Field[] {
  const { properties, required = [], items, allOf = [] } = resolve(schema, schemas);
  if (items !== undefined)
    return fieldsOf(items, schemas, prefix === '' ? '' : prefix.replace(/\.$/, '[].'), depth);
  const own = Object.entries(properties ?? {}).flatMap(([name, field]) => {
    const found = resolve(field, schemas);
    const path = prefix + name;
    const type = typeOf(found, schemas);
    const description = field.description ?? found.description ?? '';
    const inside = depth < deepest ? fieldsOf(found, schemas, `${path}.`, depth + 1) : [];
    return [{ path, type, isRequired: required.includes(name), description }, ...inside];
  });
  return [...allOf.flatMap((part) => fieldsOf(part, schemas, prefix, depth)), ...own];
}

function resolve(schema: Schema, schemas: Schemas): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : (schemas[name] ?? schema);
}

/** A type in words, such as `string or null`, or the values that it allows. */
export function typeOf(schema: Schema, schemas: Schemas = {}): string {
  const { type, enum: values, anyOf, items, ...rest } = resolve(schema, schemas);
  if (rest.const !== undefined) return `\`${JSON.stringify(rest.const)}\``;
  if (values !== undefined) return values.map((value) => `\`${JSON.stringify(value)}\``).join(', ');
  if (anyOf !== undefined) return [...new Set(anyOf.map((one) => typeOf(one, schemas)))].join(' or ');
  if (type === 'array') return items === undefined ? 'list' : `list of ${typeOf(items, schemas)}`;
  if (typeof type === 'string') return type;
  return type === undefined ? 'any' : type.join(' or ');
}
