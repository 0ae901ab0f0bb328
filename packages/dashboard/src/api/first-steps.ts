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

interface Request {
  readonly route: string;
  readonly status: number;
}

const lookEveryMs = 2000;

/** How far somebody has come with a new project; looked at until everything has happened. */
export const firstStepsQuery = (ref: string) =>
  queryOptions({
    queryKey: ['projects', ref, 'first-steps'],
    queryFn: async ({ signal }): Promise<FirstSteps> => {
      const collections = await manage<Collection[]>(`/p/${ref}/collections?limit=100`, { signal });
      const hasDocument = collections.some(({ documentCount }) => documentCount > 0);
      const requests = hasDocument
        ? await manage<Request[]>(`/projects/${ref}/requests?status__lte=299&limit=100`, { signal })
        : [];
      const hasRead = requests.some(({ route }) => route.startsWith('GET /collections/:collection'));
      return { hasCollection: collections.length > 0, hasDocument, hasRead };
    },
    refetchInterval: ({ state: { data } }) => (data?.hasRead ? false : lookEveryMs),
  });
