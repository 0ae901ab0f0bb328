/** Keys from the document's root inwards. A path may also run through links; only the server can tell which part does. */
export type Path = readonly string[];

export const operators = [
  'eq',
  'ne',
  'gt',
  'gte',
  'lt',
  'lte',
  'contains',
  'startswith',
  'endswith',
  'in',
  'notin',
  'isnull',
] as const;

/** Operators that compare by order. */
export const comparisons: ReadonlySet<Operator> = new Set(['gt', 'gte', 'lt', 'lte']);

/** `eq` needs no suffix on the wire: `field=value` is the same as `field__eq=value`. */
export type Operator = (typeof operators)[number];

export interface Condition {
  readonly kind: 'condition';
  /** The parameter as the caller wrote it, for error messages. */
  readonly parameter: string;
  readonly path: Path;
  readonly operator: Operator;
  /** Compares as text, even if the value looks like a number: `zip__gte:text=9000`. */
  readonly isText?: true;
  /** The text after `=`, still untyped: its meaning depends on the stored value. */
  readonly value: string;
}

export type Filter =
  | { readonly kind: 'and'; readonly of: readonly Filter[] }
  | { readonly kind: 'or'; readonly of: readonly Filter[] }
  | Condition;

export interface SortField {
  readonly path: Path;
  readonly descending: boolean;
}

export interface Query {
  readonly filter: Filter & { readonly kind: 'and' };
  readonly sort: readonly SortField[];
  readonly limit: number;
  readonly offset: number;
  readonly cursor?: string;
  /** Absent: every field. */
  readonly select?: readonly Path[];
  readonly populate: readonly Path[];
}

/** The path as a caller would write it. */
export function formatPath(path: Path): string {
  return path.map((key) => key.replaceAll('.', '\\.')).join('.');
}
