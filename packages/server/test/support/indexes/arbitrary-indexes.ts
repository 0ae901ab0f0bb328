import fc from 'fast-check';
import { knownValues } from '../query/arbitrary-conditions.ts';
import type { FlatDocument } from '../query/oracle.ts';
import { indexedPath } from './arbitrary-bodies.ts';

export interface AskedIndex {
  readonly kind: 'sort' | 'search' | 'statistics';
  readonly fields: readonly string[];
}

const sign = fc.constantFrom('', '-');

const sortIndex: fc.Arbitrary<AskedIndex> = fc
  .tuple(
    fc.uniqueArray(
      fc.oneof({ arbitrary: indexedPath, weight: 8 }, { arbitrary: fc.constant('updatedAt'), weight: 1 }),
      { minLength: 1, maxLength: 4 },
    ),
    fc.array(sign, { minLength: 5, maxLength: 5 }),
    fc.constantFrom('', '', 'createdAt', 'id'),
  )
  .map(([paths, signs, last]) => ({
    kind: 'sort',
    fields: [...paths, last]
      .filter((name) => name !== '')
      .slice(0, 4)
      .map((name, at) => signs[at]! + name),
  }));

const single = (kind: AskedIndex['kind'], field = indexedPath): fc.Arbitrary<AskedIndex> =>
  field.map((name) => ({ kind, fields: [name] }));

const searchIndex = single('search', fc.oneof(fc.constantFrom('list', 'word', 'cut'), indexedPath));

/** A set of indexes of all kinds. */
const indexSet: fc.Arbitrary<AskedIndex[]> = fc
  .tuple(
    fc.array(sortIndex, { minLength: 2, maxLength: 4 }),
    fc.array(single('sort'), { minLength: 1, maxLength: 3 }),
    fc.constant<AskedIndex[]>([{ kind: 'search', fields: ['list'] }]),
    fc.array(searchIndex, { maxLength: 2 }),
    fc.array(single('statistics'), { maxLength: 2 }),
  )
  .map((sets) => {
    const byName = new Map(sets.flat().map((index) => [JSON.stringify(index), index]));
    return [...byName.values()];
  });

/** The indexes of a round: the same for the same seed. */
export function indexesOf(seed: number): AskedIndex[] {
  return fc.sample(indexSet, { seed, numRuns: 1 })[0]!;
}

const written = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
const parameter = (name: string, text: string) => `${encodeURIComponent(name)}=${encodeURIComponent(text)}`;
const isTime = (name: string) => name === 'updatedAt' || name === 'createdAt';
const nameOf = (field: string) => field.replace(/^-/, '');

/** Conditions on the indexed fields, about values that are there. */
class Conditions {
  readonly #known: ReadonlyMap<string, readonly unknown[]>;
  readonly #all: readonly unknown[];

  constructor(documents: readonly FlatDocument[]) {
    const { scalars, elements, system } = knownValues(documents);
    this.#all = [...scalars, ...elements].map(({ value }) => value);
    const known = new Map<string, unknown[]>();
    for (const { path, value } of [...scalars, ...elements, ...system])
      known.set(path, [...(known.get(path) ?? []), value]);
    this.#known = known;
  }

  /** What the document has there, or an element of it; mostly: else what any has. */
  #valueIn(document: FlatDocument, name: string): fc.Arbitrary<unknown> {
    const here = knownValues([document]);
    const own = [...here.scalars, ...here.elements, ...here.system].filter(({ path }) => path === name);
    const any = fc.constantFrom(...(this.#known.get(name) ?? (isTime(name) ? [''] : this.#all)));
    if (own.length === 0) return any;
    const value = fc.constantFrom(...own.map((one) => one.value));
    return fc.oneof({ arbitrary: value, weight: 9 }, { arbitrary: any, weight: 1 });
  }

  equality(document: FlatDocument, name: string): fc.Arbitrary<string> {
    const list = this.#valueIn(document, name).chain((value) => {
      const others = this.#known.get(name) ?? this.#all;
      const alike = others.filter((other) => isAlike(other, value));
      const more = fc.array(fc.constantFrom(...(alike.length > 0 ? alike : others)), { maxLength: 2 });
      return more.map((rest) => [value, ...rest].map((one) => written(one).replaceAll(',', '\\,')).join(','));
    });
    return fc.oneof(
      {
        arbitrary: this.#valueIn(document, name).map((value) => parameter(name, written(value))),
        weight: 3,
      },
      { arbitrary: list.map((text) => parameter(`${name}__in`, text)), weight: 2 },
    );
  }

  narrowing(document: FlatDocument, name: string, kind: AskedIndex['kind']): fc.Arbitrary<string> {
    const searching = ['__contains', '__contains', '__startswith', '__endswith'];
    const comparing = ['__gt', '__gte', '__lt', '__lte', '__ne', '__notin', '__isnull'];
    const operators = isTime(name) ? comparing : [...searching, ...(kind === 'search' ? [] : comparing)];
    return fc
      .tuple(fc.constantFrom(...operators), this.#valueIn(document, name), fc.nat({ max: 3 }))
      .map(([operator, value, cut]) => {
        if (operator === '__isnull') return parameter(name + operator, cut < 2 ? 'false' : 'true');
        const text = written(value);
        if (!searching.includes(operator)) return parameter(name + operator, text);
        if (typeof value === 'number') return parameter(name + operator, text);
        const letters = Array.from(text);
        const part = operator === '__endswith' ? letters.slice(cut) : letters.slice(0, letters.length - cut);
        return parameter(name + operator, cut === 1 ? part.join('').toUpperCase() : part.join(''));
      });
  }
}

/** Do two values share the beginning that a sort key has of them? */
function isAlike(a: unknown, b: unknown): boolean {
  return typeof a === 'string' && typeof b === 'string' && a.slice(0, 120) === b.slice(0, 120);
}

/** The fields of an index as an order, forwards, backwards or broken. */
function order(fields: readonly string[]): fc.Arbitrary<string> {
  if (fields.length === 0) return fc.constant('');
  return fc
    .tuple(fc.constantFrom('forwards', 'backwards', 'broken'), fc.nat({ max: 15 }))
    .map(([form, dice]) => {
      const directions = fields.map((field, at) => {
        const isDescending =
          form === 'broken' ? ((dice >> at) & 1) === 1 : field.startsWith('-') === (form === 'forwards');
        return isDescending ? 'desc' : 'asc';
      });
      const names = fields.map((field) => `field:${nameOf(field).replaceAll(',', '\\,')}`);
      return `orderBy=${encodeURIComponent(names.join(','))}&order=${directions.join(',')}`;
    });
}

/**
 * Lists that the indexes seem made for: equality in their first fields, a range or a part of a text in the next, and the
 * order of the rest.
 */
export function listsFor(
  indexes: readonly AskedIndex[],
  documents: readonly FlatDocument[],
): fc.Arbitrary<string> {
  const conditions = new Conditions(documents);
  return fc
    .tuple(fc.constantFrom(...indexes), fc.constantFrom(...documents), fc.nat({ max: 3 }), fc.boolean())
    .chain(([{ kind, fields }, document, wanted, isNarrowed]) => {
      const names = fields.map(nameOf);
      const fixed = kind === 'search' ? 0 : Math.min(wanted, fields.length);
      const next = names[Math.min(fixed, names.length - 1)]!;
      return fc.tuple(
        ...names.slice(0, fixed).map((name) => conditions.equality(document, name)),
        isNarrowed || kind === 'search' ? conditions.narrowing(document, next, kind) : fc.constant(''),
        order(fields.slice(fixed)),
      );
    })
    .map((parts) => parts.filter((part) => part !== '').join('&'));
}

/** Whole collections in the order of some of their indexes. */
export function ordersOf(indexes: readonly AskedIndex[]): fc.Arbitrary<string> {
  const sorts = indexes.filter(({ kind }) => kind === 'sort');
  return fc
    .tuple(fc.constantFrom(...sorts), fc.nat({ max: 2 }))
    .chain(([{ fields }, from]) => order(fields.slice(Math.min(from, fields.length - 1))));
}

/** Choices between values of the first fields of indexes; often one document has several of them. */
export function choicesFor(
  indexes: readonly AskedIndex[],
  documents: readonly FlatDocument[],
): fc.Arbitrary<string> {
  const conditions = new Conditions(documents);
  const sorts = indexes.filter(({ kind }) => kind === 'sort');
  const several = fc.array(fc.constantFrom(...sorts), { minLength: 2, maxLength: 4 });
  return fc
    .tuple(several, fc.constantFrom(...documents), fc.constantFrom(...documents))
    .chain(([chosen, one, other]) =>
      fc.tuple(
        fc.tuple(
          ...chosen.map(({ fields }, at) =>
            conditions.equality(at % 3 === 2 ? other : one, nameOf(fields[0]!)).map((text) => `[or]${text}`),
          ),
        ),
        fc.oneof(fc.constant(''), order(chosen[0]!.fields.slice(1)), order(chosen[0]!.fields)),
      ),
    )
    .map(([choices, sorted]) => [...choices, sorted].filter((part) => part !== '').join('&'));
}
