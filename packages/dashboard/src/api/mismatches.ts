import { infiniteQueryOptions } from '@tanstack/react-query';
import { keyOf, type Place, pathOf } from './collection.ts';
import { askManaged } from './management.ts';

/** A stored document that does not match the schema, and why. */
export interface Mismatch {
  readonly id: string;
  readonly path: string;
  readonly problem: string;
}

interface Looked {
  readonly data: readonly Mismatch[];
  readonly checked: number;
  readonly nextCursor: string | null;
}

/** What one look does at most: calls, of which each looks at up to 1,000 documents, and what there is to show. */
const mostCalls = 10;
const enough = 100;

async function look(place: Place, cursor: string, signal: AbortSignal): Promise<Looked> {
  let found: Looked = { data: [], checked: 0, nextCursor: cursor };
  for (let calls = 0; calls < mostCalls && found.nextCursor !== null && found.data.length < enough; calls++) {
    const query = found.nextCursor === '' ? '' : `?cursor=${found.nextCursor}`;
    const { data, checked, nextCursor } = await askManaged<Looked>(`${pathOf(place)}/mismatches${query}`, {
      signal,
    });
    found = { data: [...found.data, ...data], checked: found.checked + checked, nextCursor };
  }
  return found;
}

/** Stored documents that do not match the schema. It is asked for by hand, since every document is looked at. */
export const mismatchesQuery = (place: Place, schema: object) =>
  infiniteQueryOptions({
    queryKey: [...keyOf(place, 'mismatches'), JSON.stringify(schema)],
    queryFn: ({ pageParam, signal }) => look(place, pageParam, signal),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    enabled: false,
    retry: false,
  });
