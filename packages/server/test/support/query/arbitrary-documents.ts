import fc from 'fast-check';
import { confusable, longText, value } from './arbitrary-values.ts';

export type Body = Record<string, unknown>;

/** Top-level names; the first few come often, so that documents share fields and tie in them. */
const plainNames = ['a', 'b', 'name', 'address', 'tags'];
export const fieldNames = [
  ...plainNames,
  'a.b',
  'x y',
  'quo"te',
  "it's",
  'odd__name',
  'ends__gt',
  'limit',
  'order',
  'orderBy',
  'select',
  'cursor',
  'field:x',
  '[or]x',
  'trail_',
  '_lead',
  'or',
  '0',
  'ß',
  '😀',
  'com,ma',
  'back\\slash',
  '%',
  'toString',
];

const member = fc.tuple(
  fc.oneof(
    { arbitrary: fc.constantFrom(...plainNames), weight: 15 },
    { arbitrary: fc.constantFrom(...fieldNames), weight: 10 },
    // The service ignores these in a body.
    { arbitrary: fc.constantFrom('id', 'createdAt', 'updatedAt', ''), weight: 1 },
  ),
  value,
);

/** Few values, so that many documents are the same in it. */
export const kinds = ['x', 'y', 'x,y', '\uffff', '😀', 9, 10, true, false, null];
const kind = fc.constantFrom<unknown>(...kinds);

const body: fc.Arbitrary<Body> = fc
  .tuple(
    fc.array(member, { maxLength: 8 }),
    fc.option(kind),
    fc.option(longText),
    fc.option(fc.constantFrom(...confusable)),
  )
  .map(([members, kind, long, word]) => ({
    ...Object.fromEntries(members),
    ...(kind !== null && { kind }),
    ...(long !== null && { long }),
    ...(word !== null && { word }),
  }));

/** The documents of a round: the same for the same seed. */
export function bodiesOf(seed: number, count: number): Body[] {
  return fc.sample(fc.array(body, { minLength: count, maxLength: count }), { seed, numRuns: 1 })[0]!;
}

/** JSON with what JSON.stringify would lose: -0. */
export function written(json: unknown): string {
  if (Object.is(json, -0)) return '-0';
  if (Array.isArray(json)) return `[${json.map(written).join(',')}]`;
  if (typeof json !== 'object' || json === null) return JSON.stringify(json);
  const members = Object.entries(json).map(([key, member]) => `${JSON.stringify(key)}:${written(member)}`);
  return `{${members.join(',')}}`;
}
