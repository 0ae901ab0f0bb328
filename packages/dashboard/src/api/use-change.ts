import { useMutation, useQueryClient } from '@tanstack/react-query';

/** A change, after which what is known under the keys is asked for again. */
export function useChange<Given, Made>(
  change: (given: Given) => Promise<Made>,
  ...keys: readonly (readonly string[])[]
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    // Not waited for: a row that goes away with it has something to say before.
    onSuccess: () => {
      for (const queryKey of keys) void queries.invalidateQueries({ queryKey });
    },
  });
}
