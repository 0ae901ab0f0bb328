import { queryOptions } from '@tanstack/react-query';
import { manage } from './management.ts';

export interface FirstSteps {
  readonly hasCollection: boolean;
  readonly hasDocument: boolean;
  readonly hasRead: boolean;
}

interface Collection {
  readonly documentCount: number;
}

const lookEveryMs = 2000;
/** What the dashboard itself reads does not count. */
const readByKey = 'route=GET%20/collections/:collection&credential=apiKey&status__lte=299&limit=1';

/** How far somebody has come with a new project; looked at until everything has happened. */
export const firstStepsQuery = (ref: string) =>
  queryOptions({
    queryKey: ['projects', ref, 'first-steps'],
    queryFn: async ({ signal }): Promise<FirstSteps> => {
      const collections = await manage<Collection[]>(`/p/${ref}/collections?limit=100`, { signal });
      const hasDocument = collections.some(({ documentCount }) => documentCount > 0);
      const requests = hasDocument
        ? await manage<unknown[]>(`/projects/${ref}/requests?${readByKey}`, { signal })
        : [];
      return { hasCollection: collections.length > 0, hasDocument, hasRead: requests.length > 0 };
    },
    refetchInterval: ({ state: { data } }) => (data?.hasRead ? false : lookEveryMs),
  });
