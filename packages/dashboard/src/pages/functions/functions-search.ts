import type { RunFilter } from '../../api/functions.ts';
import { textOf } from '../../search-params.ts';

export const functionsParts = ['list', 'runs', 'versions'] as const;
export const oneParts = ['runs', 'try'] as const;
export type FunctionsPart = (typeof functionsParts)[number];
export type OnePart = (typeof oneParts)[number];

/** How runs are looked at. While it is paused, none is shown that is newer than the run named here. */
export interface RunsSearch extends RunFilter {
  readonly paused?: string;
}

export type FunctionsSearch = RunsSearch & { readonly part?: Exclude<FunctionsPart, 'list'> };
export type OneSearch = Omit<RunsSearch, 'function'> & { readonly part?: Exclude<OnePart, 'runs'> };

export function readFunctionsSearch(search: Record<string, unknown>): FunctionsSearch {
  const part = functionsParts.find((one) => one === search.part);
  const name = textOf(search.function);
  if (part === undefined || part === 'list') return {};
  return part === 'versions' ? { part } : { part, ...(name && { function: name }), ...lookOf(search) };
}

export function readOneSearch(search: Record<string, unknown>): OneSearch {
  const part = oneParts.find((one) => one === search.part);
  return part === undefined || part === 'runs' ? lookOf(search) : { part };
}

function lookOf(search: Record<string, unknown>): Pick<RunsSearch, 'outcome' | 'paused'> {
  const paused = textOf(search.paused);
  return { ...(search.outcome === 'failed' && { outcome: 'failed' }), ...(paused && { paused }) };
}
