import type { CollectionShape } from '@plinth/protocol';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { collectionsQuery } from './collections.ts';
import { askManaged, manage } from './management.ts';

export const actions = ['read', 'create', 'update', 'delete'] as const;
export type Action = (typeof actions)[number];

export type FieldRules = Readonly<Record<string, { readonly create?: string; readonly update?: string }>>;

export interface CollectionSettings {
  readonly rules: Readonly<Record<Action, string>>;
  readonly ownerField: string | null;
  readonly hiddenFields: readonly string[];
  readonly fieldRules?: FieldRules;
  readonly autoIndex?: boolean;
  readonly schema?: Readonly<Record<string, unknown>>;
}

/** A collection with everything that its own key sees of it. */
export interface Collection {
  readonly id: string;
  readonly name: string;
  readonly number: number;
  readonly createdAt: string;
  readonly documentCount: number;
  readonly settings: CollectionSettings;
}

/** What names one collection of one project. */
export interface Place {
  readonly projectRef: string;
  readonly collection: string;
}

export const pathOf = ({ projectRef, collection }: Place): string =>
  `/p/${projectRef}/collections/${encodeURIComponent(collection)}`;

export const keyOf = ({ projectRef, collection }: Place, ...more: readonly string[]): readonly string[] => [
  'projects',
  projectRef,
  'collection',
  collection,
  ...more,
];

export const collectionQuery = (place: Place) =>
  queryOptions({
    queryKey: keyOf(place, 'record'),
    queryFn: async ({ signal }) => {
      const path = `${pathOf(place)}?limit=1&select=id`;
      const answer = await askManaged<{ data: unknown; collection: Collection }>(path, { signal });
      return answer.collection;
    },
  });

export const shapeQuery = (place: Place) =>
  queryOptions({
    queryKey: keyOf(place, 'shape'),
    queryFn: ({ signal }) => manage<CollectionShape>(`${pathOf(place)}/shape`, { signal }),
  });

/** What a change of settings names; the rest stays as it is. */
export interface SettingsChange {
  readonly rules?: Partial<Record<Action, string>>;
  readonly ownerField?: string | null;
  readonly hiddenFields?: readonly string[];
  readonly fieldRules?: FieldRules;
  readonly autoIndex?: boolean;
  readonly schema?: Readonly<Record<string, unknown>> | null;
}

/** Changes settings; what the service warns of comes back. */
export function useChangeSettings(place: Place) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (settings: SettingsChange) =>
      askManaged<{ data: Collection; warnings?: readonly string[] }>(pathOf(place), {
        method: 'PATCH',
        body: { settings },
      }),
    onSuccess: ({ data }) => {
      queries.setQueryData(collectionQuery(place).queryKey, data);
      // What was explained was explained by the rules as they were.
      void queries.invalidateQueries({ queryKey: keyOf(place, 'access') });
      void queries.invalidateQueries({ queryKey: keyOf(place, 'indexes') });
    },
  });
}

export function useRenameCollection(place: Place) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => manage<Collection>(pathOf(place), { method: 'PATCH', body: { name } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: collectionsQuery(place.projectRef).queryKey }),
  });
}

export function useDeleteCollection(place: Place) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => manage<unknown>(pathOf(place), { method: 'DELETE' }),
    onSuccess: () => queries.invalidateQueries({ queryKey: collectionsQuery(place.projectRef).queryKey }),
  });
}
