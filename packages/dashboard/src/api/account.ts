import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { manage } from './management.ts';
import { signInByPasskey } from './passkeys.ts';

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
  | { readonly token: string }
  | { readonly passkey: true };

const signIn = (given: SignIn): Promise<Account> =>
  'passkey' in given
    ? signInByPasskey<Account>()
    : manage<Account>('/session', { method: 'POST', body: given });

/** How people sign in at this deployment. */
export interface SignInMethods {
  readonly password: boolean;
  readonly passkey: boolean;
  readonly openid: boolean;
  /** Who may make an account. */
  readonly signup: 'open' | 'invited' | 'closed';
}

export const signInMethodsQuery = queryOptions({
  queryKey: ['sign-in-methods'],
  queryFn: ({ signal }) => manage<SignInMethods>('/sign-in-methods', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** A way in; nothing of whoever was here before stays in memory. */
function useWayIn<Given>(enter: (given: Given) => Promise<Account>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: enter,
    onSuccess: (account) => {
      if (queries.getQueryData(accountQuery.queryKey)?.id !== account.id) queries.clear();
      queries.setQueryData(accountQuery.queryKey, account);
    },
  });
}

export const useSignIn = () => useWayIn(signIn);

interface NewAccount {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

/** Makes an account, and signs in. */
export const useSignUp = () =>
  useWayIn((wish: NewAccount) => manage<Account>('/accounts', { method: 'POST', body: wish }));

/** Signs out, and loads the page anew: nothing of whoever was here stays in memory. */
export const useSignOut = () =>
  useMutation({
    mutationFn: () => manage<null>('/session', { method: 'DELETE' }),
    onSuccess: () => location.assign('/dashboard/sign-in'),
  });

/** Ends every session of the account, this one too. */
export const useSignOutEverywhere = () =>
  useMutation({
    mutationFn: () => manage<null>('/sessions', { method: 'DELETE' }),
    onSuccess: () => location.assign('/dashboard/sign-in'),
  });
