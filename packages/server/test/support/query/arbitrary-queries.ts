import fc from 'fast-check';
import { condition, escaped, type KnownValues, knownValues, pathText } from './arbitrary-conditions.ts';
import { fieldNames } from './arbitrary-documents.ts';
import { innerNames } from './arbitrary-values.ts';
import type { FlatDocument } from './oracle.ts';

const systemFields = ['id', 'createdAt', 'updatedAt'];

const paths = fc.oneof(
  fc.constantFrom(...fieldNames, ...systemFields, 'kind', 'long', 'word').map((key) => pathText([key])),
  fc.tuple(fc.constantFrom(...fieldNames), fc.constantFrom(...innerNames)).map(pathText),
);

/** What must be refused, or is at the edge of it; as sent. */
const oddities = `
  a__unknown=1 a__gt__gt=1 a__gt__lt=1 [or [and]a=1 [or:]a=1 [or:x%20y]a=1 [or]limit=5 a__isnull=maybe a__isnull=
  createdAt=yesterday createdAt= updatedAt__gt=5 createdAt__contains=2 createdAt=2026-02-30 updatedAt__in=2026-01-01,x
  createdAt__isnull=true updatedAt__isnull=false createdAt__gt=1960-01-01 createdAt__lte=9999-12-31
  updatedAt__lt=0001-01-01 createdAt__ne=1969-12-31 createdAt__in=1969-12-31T23:59:59.999Z a__or__createdAt__lt=x
  id.x=1 =1 a..b=1 .a=1 constructor=1 a.prototype=1 field:__proto__=1 $x=1 a.$in=1 a=%ff a=%00 %zz=1 a=%ed%a0%80
  a a__or__=1 __gt=1 a__or__gt=1 a__=1 a__in= a__notin= a__contains= & limit=0 limit=-1 limit=1.5 limit= limit=x
  x[]=1 populate[]=a a[gt]=1 a!=1 a%3E5 a%3C=5 -a=1 a%20b=1 orderBy=a+desc orderBy=a:desc orderBy=a.0 orderBy=-a,b
  limit=3 limit=1000 offset=-1 offset=7 offset=100001 order=up order= order=ASC order=desc,asc orderBy= orderBy=a,
  orderBy=id.x orderBy=a,b,c,d,e,f id__isnull=true id__gt=5 id__lt=z id=x id__in=x,y id__startswith= id__contains=-8
  id__endswith=A`
  .trim()
  .split(/\s+/);

const group = fc.oneof(
  { arbitrary: fc.constant(''), weight: 3 },
  { arbitrary: fc.constantFrom('[or]', '[or:g]', '[or:h-1]'), weight: 2 },
);

/** Percent-encoded in one of the ways that mean the same. */
const encoded = (plain: string, isLoose: boolean) =>
  isLoose
    ? encodeURIComponent(plain)
        .replaceAll('%20', '+')
        .replace(/%(5B|5D|3A|2C)/g, decodeURIComponent)
    : encodeURIComponent(plain);

/** Mostly one or two: of many conditions joined by AND, few documents are left. */
const some = <Item>(item: fc.Arbitrary<Item>): fc.Arbitrary<Item[]> =>
  fc.oneof(
    { arbitrary: fc.tuple(item), weight: 6 },
    { arbitrary: fc.tuple(item, item), weight: 3 },
    { arbitrary: fc.array(item, { maxLength: 5 }), weight: 1 },
  );

function ordering(known: KnownValues): fc.Arbitrary<string> {
  const field = fc.oneof(
    { arbitrary: fc.constantFrom('kind', 'long', 'word', ...systemFields), weight: 2 },
    {
      arbitrary: fc.constantFrom(...known.scalars, ...known.others).map(({ path }) => escaped(path, ',')),
      weight: 2,
    },
    { arbitrary: paths.map((path) => escaped(path, ',')), weight: 1 },
  );
  // Names that need the prefix get it, others seldom.
  const sorted = fc
    .tuple(field, fc.constantFrom('', '', '-', ' '), fc.nat({ max: 9 }))
    .map(([name, mark, chance]) =>
      /[\s[\]]|^field:|\.\d/.test(name) || chance > 8 ? `${mark}field:${name}` : mark + name,
    );
  const direction = fc.constantFrom('asc', 'desc', 'DESC', 'Asc');
  return fc
    .tuple(fc.array(sorted, { minLength: 1, maxLength: 3 }), fc.array(direction, { maxLength: 3 }))
    .map(([fields, directions]) => {
      const order = directions.slice(0, fields.length).join(',');
      return `orderBy=${encodeURIComponent(fields.join(','))}${order === '' ? '' : `&order=${order}`}`;
    });
}

/** Filters about these documents. */
export function filtersFor(documents: readonly FlatDocument[]): fc.Arbitrary<string> {
  const parameter = fc
    .tuple(group, condition(knownValues(documents), paths), fc.boolean())
    .map(
      ([prefix, [name, value], isLoose]) => `${encoded(prefix + name, isLoose)}=${encoded(value, isLoose)}`,
    );
  return some(parameter).map((parameters) => parameters.join('&'));
}

/** Orders of these documents, none among them. */
export function ordersFor(documents: readonly FlatDocument[]): fc.Arbitrary<string> {
  return fc.option(ordering(knownValues(documents)), { nil: '' });
}

/** Query strings about these documents. */
export function queriesFor(documents: readonly FlatDocument[]): fc.Arbitrary<string> {
  const oddity = fc.oneof(
    { arbitrary: fc.constant(''), weight: 9 },
    { arbitrary: fc.constantFrom(...oddities), weight: 1 },
  );
  return fc
    .tuple(filtersFor(documents), ordersFor(documents), oddity)
    .map((parts) => parts.filter((part) => part !== '').join('&'));
}
