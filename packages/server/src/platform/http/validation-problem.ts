import { isNear } from '../near-name.ts';

/** What the validator says of a body that does not fit its schema. */
interface Misfit {
  readonly keyword: string;
  /** `/settings/rules` */
  readonly instancePath: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
}

/** As much of a JSON Schema as a sentence needs. */
interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: Shape | boolean;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
  readonly const?: unknown;
}

/** Says what to do about a body, or another part of a call, that does not fit. */
export function validationProblem(part: string, misfit: Misfit, schema: unknown): string {
  const keys = misfit.instancePath.split('/').slice(1);
  const name = keys.length === 0 ? `The ${part}` : `"${keys.join('.').slice(0, 200)}"`;
  const shape = shapeAt(schema, keys);
  const { params } = misfit;
  switch (misfit.keyword) {
    case 'additionalProperties':
      return unknownField(String(params.additionalProperty), Object.keys(shape?.properties ?? {}), keys);
    case 'required':
      return `"${[...keys, String(params.missingProperty)].join('.')}" is missing.`;
    case 'type':
      return `${name} must be ${withArticle(String(params.type))}.`;
    case 'minLength':
      return `${name} must have at least ${String(params.limit)} characters.`;
    case 'maxLength':
      return `${name} must have at most ${String(params.limit)} characters.`;
    case 'minItems':
      return `${name} must have at least ${String(params.limit)} elements.`;
    case 'maxItems':
      return `${name} must have at most ${String(params.limit)} elements.`;
    case 'const':
    case 'anyOf': {
      const values = (shape?.anyOf ?? []).flatMap((one) =>
        'const' in one ? [JSON.stringify(one.const)] : [],
      );
      return values.length > 0 ? `${name} must be one of ${values.join(', ')}.` : `${name} is not valid.`;
    }
    default:
      return `${name} ${misfit.message?.replace('NOT', 'not') ?? 'is not valid'}.`;
  }
}

function unknownField(name: string, known: readonly string[], keys: readonly string[]): string {
  const where = keys.length === 0 ? 'here' : `in "${keys.join('.').slice(0, 200)}"`;
  const problem = `"${name.slice(0, 100)}" is unknown ${where}.`;
  const near = known.find((candidate) => isNear(candidate, name));
  if (near !== undefined) return `${problem} Did you mean "${near}"?`;
  if (known.includes('data')) return `${problem} Put fields of your own into "data".`;
  return known.length === 0 ? problem : `${problem} Known fields: ${known.join(', ')}.`;
}

function withArticle(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function shapeAt(schema: unknown, keys: readonly string[]): Shape | undefined {
  // The schemas of routes are TypeBox's.
  let shape = schema as Shape | undefined;
  for (const key of keys) {
    const { properties = {}, additionalProperties, items } = shape ?? {};
    const others = typeof additionalProperties === 'object' ? additionalProperties : undefined;
    shape = Object.hasOwn(properties, key) ? properties[key] : (items ?? others);
  }
  return shape;
}
