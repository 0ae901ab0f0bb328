import { queryOptions } from '@tanstack/react-query';
import { keyOf, type Place, pathOf } from './collection.ts';
import { askManaged } from './management.ts';

/** Documents of a collection that link to one by a field. */
export interface Backlink {
  readonly collection: string;
  readonly field: string;
  /** Lists them. */
  readonly query: string;
  /** Null: nobody has counted them. */
  readonly total: number | null;
  readonly totalIsFloor: boolean;
}

export const backlinksQuery = (place: Place, id: string) =>
  queryOptions({
    queryKey: keyOf(place, 'backlinks', id),
    queryFn: ({ signal }) =>
      askManaged<{ readonly data: readonly Backlink[]; readonly hasMore: boolean }>(
        `${pathOf(place)}/backlinks/${id}`,
        { signal },
      ),
    staleTime: 30_000,
  });
