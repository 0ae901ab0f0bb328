import type { TSchema } from 'typebox';

/** As much of a JSON Schema as an example can be made of. */
interface Shape {
  readonly $ref?: string;
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Shape[];
  readonly type?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
}

const strings: Readonly<Record<string, string>> = {
  uuid: '019a8c5e-7f00-8000-8123-4a5b6c7d8e9f',
  'date-time': '2026-11-16T09:30:00.000Z',
  uri: 'https://api.example.com/files/abcdefghijkl/5f0c6b1e9d3a4c2b8e7f6a5d4c3b2a19.jpg',
};

/** An example that fits a schema: the one it names, or one made of the examples of its parts. */
export function exampleOf(schema: TSchema, named: ReadonlyMap<string, TSchema>): unknown {
  const shape: Shape = schema;
  if (shape.examples) return shape.examples[0];
  if (shape.$ref !== undefined) return exampleOf(named.get(shape.$ref.replace('#', ''))!, named);
  if ('const' in shape) return shape.const;
  if (shape.enum) return shape.enum[0];
  if (shape.default !== undefined) return shape.default;
  if (shape.anyOf) return exampleOf(shape.anyOf[0]!, named);
  switch (shape.type ?? '') {
    case 'object':
      return objectExample(shape, named);
    case 'array':
      return shape.items ? [exampleOf(shape.items, named)] : [];
    case 'string':
      return strings[shape.format ?? ''] ?? 'text';
    case 'boolean':
      return false;
    case 'null':
      return null;
    default:
      return shape.minimum ?? 0;
  }
}

function objectExample({ properties = {} }: Shape, named: ReadonlyMap<string, TSchema>): unknown {
  const entries = Object.entries(properties).filter(([, part]) => !isRare(part));
  return Object.fromEntries(entries.map(([name, part]) => [name, exampleOf(part, named)]));
}

/** What is seldom there is told by the schema: an example without it is easier to read. */
function isRare({ examples }: Shape): boolean {
  return examples?.length === 0;
}
