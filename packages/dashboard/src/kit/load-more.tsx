import { texts } from '../texts.ts';

interface Pages {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => Promise<unknown>;
}

/** Asks for the next page of a list, while there is one. */
export function LoadMore({ of: { hasNextPage, isFetchingNextPage, fetchNextPage } }: { readonly of: Pages }) {
  if (!hasNextPage) return null;
  return (
    <div>
      <button type="button" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {texts.loadMore}
      </button>
    </div>
  );
}
