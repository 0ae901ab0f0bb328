import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { manage } from './management.ts';

export interface Account {
  readonly id: string;
  readonly email: string;
  readonly email_verified: boolean;
  readonly name: string;
  readonly second_factor: boolean;
  readonly createdAt: string;
}

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => manage<Account>('/account', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Whoever is signed in; pages behind the sign-in have one. */
export function useAccount(): Account {
  const { data } = useQuery(accountQuery);
  if (!data) throw new Error('A page for accounts was shown to nobody.');
  return data;
}

export type SignIn =
  | { readonly email: string; readonly password: string; readonly code?: string }
  | { readonly token: string };

/** Signs in; nothing of whoever was here before stays in memory. */
export function useSignIn() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (given: SignIn) => manage<Account>('/session', { method: 'POST', body: given }),
    onSuccess: (account) => {
      if (queries.getQueryData(accountQuery.queryKey)?.id !== account.id) queries.clear();
      queries.setQueryData(accountQuery.queryKey, account);
    },
  });
}

/** Signs out, and loads the page anew: nothing of whoever was here stays in memory. */
export const useSignOut = () =>
  useMutation({
    mutationFn: () => manage<null>('/session', { method: 'DELETE' }),
    onSuccess: () => location.assign('/dashboard/sign-in'),
  });
