import { queryOptions } from '@tanstack/react-query';
import { manage } from './management.ts';

/** Something that its owner should look at. */
export interface Advice {
  readonly code: string;
  readonly severity: 'warning' | 'notice';
  /** A collection, a key, or the project. */
  readonly target: string;
  readonly message: string;
}

export const adviceQuery = (ref: string) =>
  queryOptions({
    queryKey: ['projects', ref, 'advice'],
    queryFn: ({ signal }) => manage<Advice[]>(`/projects/${ref}/advice`, { signal }),
  });
