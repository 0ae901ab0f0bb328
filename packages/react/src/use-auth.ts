import type { AuthState, Client, ProjectTypes, User } from '@plinth/client';
import { useMemo } from 'react';
import { useStore } from './use-store.ts';

const unknown: AuthState<never> = { status: 'loading', user: null };

/** Who is signed in: `loading`, `signed-in` with the user, or `signed-out` with the reason. */
export function useAuth<P extends ProjectTypes>({ auth }: Client<P>): AuthState<User<P>> {
  const store = useMemo(() => ({ get: () => auth.state, subscribe: auth.subscribe }), [auth]);
  return useStore<AuthState<User<P>>>(store, unknown);
}
