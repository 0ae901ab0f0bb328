import fc from 'fast-check';
import { indexedBodies } from '../../support/indexes/arbitrary-bodies.ts';
import type { Twins } from '../../support/indexes/twins.ts';
import { condition, knownValues, pathText } from '../../support/query/arbitrary-conditions.ts';
import type { Body } from '../../support/query/arbitrary-documents.ts';
import { ordersFor } from '../../support/query/arbitrary-queries.ts';
import { askOracle, type FlatDocument } from '../../support/query/oracle.ts';

/** Values of a link: one id, several, none that leads anywhere, or an object that has the fields itself. */
export function linkingBodies(seed: number, count: number, linked: readonly FlatDocument[]): Body[] {
  const id = fc.constantFrom(...linked.map((one) => one.id));
  const gone = fc.constantFrom(
    linked[0]!.id.replace(/.{6}$/, 'ffffff'),
    linked[0]!.id.toUpperCase(),
    'x',
    '',
  );
  const link = fc.oneof(
    { arbitrary: id, weight: 5 },
    { arbitrary: fc.array(fc.oneof(id, id, gone), { maxLength: 3 }), weight: 3 },
    { arbitrary: fc.oneof(gone, fc.constantFrom<unknown>(null, 5, [], {}, [5, null])), weight: 1 },
    { arbitrary: fc.constantFrom(...indexedBodies(seed, 10)), weight: 1 },
  );
  const links = fc.sample(
    fc.array(fc.option(link, { nil: undefined }), { minLength: count, maxLength: count }),
    {
      seed,
      numRuns: 1,
    },
  )[0]!;
  return indexedBodies(seed, count).map((body, at) =>
    links[at] === undefined ? body : { ...body, ref: links[at] },
  );
}

interface RelationCase {
  readonly query: string;
  readonly expected: readonly string[];
}

const denials: Record<string, string> = { __ne: '', __notin: '__in' };

/** Lists filtered by what `ref` links to, and what the oracle says of them. */
export function relationCases({ documents }: Twins, linked: Twins): fc.Arbitrary<RelationCase> {
  const paths = fc
    .constantFrom('cut', 'kind', 'deep.city', 'list', 'missing', 'updatedAt')
    .map((path) => path);
  return fc
    .tuple(
      condition(knownValues(linked.documents), paths),
      ordersFor(documents),
      fc.constantFrom('', 'kind=x'),
    )
    .filter(([[name], order]) => !/__or__|^field:|__isnull$/.test(name) && !order.includes('ref.'))
    .map(([[name, value], order, filter]) => {
      const denied = Object.keys(denials).find((suffix) => name.endsWith(suffix));
      const asked = denied === undefined ? name : name.slice(0, -denied.length) + denials[denied];
      const condition = `${encodeURIComponent(asked)}=${encodeURIComponent(value)}`;
      const found = askOracle(linked.documents, `${condition}&limit=100`);
      const passing = documents.filter(
        (document) => passes(document, { asked, value, found }) !== (denied !== undefined),
      );
      const rest = [filter, order, 'limit=100'].filter((part) => part !== '').join('&');
      const expected = found === 'refused' ? 'refused' : askOracle(passing, rest);
      return { query: `ref.${encodeURIComponent(name)}=${encodeURIComponent(value)}&${rest}`, expected };
    })
    .filter((made): made is RelationCase => made.expected !== 'refused');
}

/** Does one of the linked documents pass, or an object in their place? */
function passes(
  document: FlatDocument,
  { asked, value, found }: { asked: string; value: string; found: readonly string[] | 'refused' },
): boolean {
  const { ref } = document;
  const ids = Array.isArray(ref) ? ref : [ref];
  if (ids.some((id) => typeof id === 'string' && found.includes(id))) return true;
  const own = askOracle(
    [{ ...document, ref }],
    `${encodeURIComponent(`${pathText(['ref'])}.${asked}`)}=${encodeURIComponent(value)}`,
  );
  return own.length === 1;
}
