import type { TemplateName } from '@plinth/runtime/templates';
import type { RunFilter } from '../../api/functions.ts';
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

/** What is begun with; those of a plain function are not named. */
const namedTemplates = [
  'hook',
  'before',
  'schedule',
  'task',
  'stripe',
  'digest',
  'counter',
  'image',
  'moderation',
] as const satisfies readonly TemplateName[];

/** What the new function begins with. */
export function readNewSearch(search: Record<string, unknown>): { readonly template?: TemplateName } {
  const template = namedTemplates.find((one) => one === search.template);
  return template ? { template } : {};
}

function lookOf(search: Record<string, unknown>): Pick<RunsSearch, 'outcome' | 'paused'> {
  const paused = textOf(search.paused);
  return { ...(search.outcome === 'failed' && { outcome: 'failed' }), ...(paused && { paused }) };
}
