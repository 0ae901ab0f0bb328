import { useNavigate, useParams, useSearch } from '@tanstack/react-router';

/** Which page of the rooms or connections is looked at, as the address says it, and how to go to another. */
export function usePage(what: 'rooms' | 'connections') {
  const from = `/signed-in/p/$ref/realtime/${what}` as const;
  const { ref } = useParams({ from });
  const { page = 1 } = useSearch({ from });
  const navigate = useNavigate();
  const onPage = (next: number) =>
    void navigate({
      to: `/p/$ref/realtime/${what}`,
      params: { ref },
      search: next > 1 ? { page: next } : {},
    });
  return { ref, page, onPage };
}
