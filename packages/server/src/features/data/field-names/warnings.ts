import type { Path } from '@plinth/protocol';
import { type CheckedQuery, fieldsOfRelation, pathsIn } from '../query/index.ts';

/** What a name of another service is called here. */
const elsewhere: readonly (readonly [names: string, hint: string])[] = [
  [
    'page per_page perPage page_size pageSize size skip start count',
    'To page through a list, use `limit` and `offset`.',
  ],
  ['sort sort_by sortBy order_by orderby sorting', 'To sort, use `orderBy`: orderBy=-createdAt.'],
  ['q query search', 'To search within text, use `__contains`: title__contains=….'],
  ['filter filters where', 'Each condition is its own parameter: status=published.'],
  ['fields columns only', 'To choose fields, use `select`.'],
  ['include expand embed with relations', 'To include linked records, use `populate`.'],
];
const hints: ReadonlyMap<string, string> = new Map(
  elsewhere.flatMap(([names, hint]) => names.split(' ').map((name) => [name, hint] as const)),
);

interface AskedList {
  readonly query: CheckedQuery;
  readonly isEmpty: boolean;
  /** All names that documents ever had. Undefined for a caller who may not know them, or if they are not known. */
  readonly names: ReadonlySet<string> | undefined;
}

/**
 * What to say of a list that is empty, or not sorted, because of a name. Whoever may not read every document is told only
 * what does not depend on the documents.
 */
export function warningsAbout({ query, isEmpty, names }: AskedList): string[] {
  const filtered = isEmpty ? pathsIn(query.filter) : [];
  const sorted = query.sort.flatMap(({ target }) => (target.kind === 'json' ? [target.path] : []));
  const warnings = [
    ...filtered.map((path) => warningOf(path, names)),
    ...(names ? sorted.map((path) => warningOf(path, names)) : []),
  ];
  return [...new Set(warnings.filter((warning) => warning !== undefined))];
}

function warningOf(path: Path, names: ReadonlySet<string> | undefined): string | undefined {
  const [name = ''] = path;
  const hint = hints.get(name);
  if (!names) return hint && `\`${name}\` was interpreted as a condition on a field of that name. ${hint}`;
  const meant = path.length > 1 ? fieldsOfRelation(name) : [name];
  if (meant.some((field) => names.has(field))) return undefined;
  return `No document has a field \`${name.slice(0, 100)}\`.${hint ? ` ${hint}` : ''}`;
}
