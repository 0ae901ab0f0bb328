import type { FunctionKind, RunFilter } from '../../api/functions.ts';
import { textOf } from '../../search-params.ts';

export const functionsParts = ['list', 'runs', 'versions'] as const;
export const oneParts = ['runs', 'try', 'code'] as const;
type FunctionsPart = (typeof functionsParts)[number];
type OnePart = (typeof oneParts)[number];

/** How runs are looked at. While it is paused, none is shown that is newer than the run named here. */
export interface RunsSearch extends RunFilter {
  readonly paused?: string;
}

export type FunctionsSearch = RunsSearch & { readonly part?: Exclude<FunctionsPart, 'list'> };
export type OneSearch = Omit<RunsSearch, 'function'> & {
  readonly part?: Exclude<OnePart, 'runs'>;
  /** Which of its sources is read. */
  readonly source?: string;
};

export function readFunctionsSearch(search: Record<string, unknown>): FunctionsSearch {
  const part = functionsParts.find((one) => one === search.part);
  const name = textOf(search.function);
  if (part === undefined || part === 'list') return {};
  return part === 'versions' ? { part } : { part, ...(name && { function: name }), ...lookOf(search) };
}

export function readOneSearch(search: Record<string, unknown>): OneSearch {
  const part = oneParts.find((one) => one === search.part);
  const source = textOf(search.source);
  if (part === undefined || part === 'runs') return lookOf(search);
  return { part, ...(part === 'code' && source && { source }) };
}

const kinds = ['hook', 'schedule', 'task'] as const;

/** What kind of function is to be written. */
export function readNewSearch(search: Record<string, unknown>): { readonly kind?: FunctionKind } {
  const kind = kinds.find((one) => one === search.kind);
  return kind ? { kind } : {};
}

function lookOf(search: Record<string, unknown>): Pick<RunsSearch, 'outcome' | 'paused'> {
  const paused = textOf(search.paused);
  return { ...(search.outcome === 'failed' && { outcome: 'failed' }), ...(paused && { paused }) };
}
