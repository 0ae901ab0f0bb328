import type { Identity, Passkey, SignIn } from '@plinth/client';
import { queryOptions } from '@tanstack/react-query';
import { manage } from './management.ts';
import { useChange } from './use-change.ts';

/** Where an app user is signed in. */
export type UserSession = Omit<SignIn, 'current'>;
export type UserIdentity = Identity;
export type UserPasskey = Passkey;

type Part = 'sessions' | 'identities' | 'passkeys';

const placeOf = (ref: string, id: string, part: Part) => `/p/${ref}/auth-collections/users/${id}/${part}`;
export const userSignInsKey = (ref: string, id: string) => ['projects', ref, 'user', id] as const;
const keyOf = (ref: string, id: string, part: Part) => [...userSignInsKey(ref, id), part] as const;

const partQuery = <Item>(part: Part, ref: string, id: string) =>
  queryOptions({
    queryKey: keyOf(ref, id, part),
    queryFn: ({ signal }) => manage<Item[]>(placeOf(ref, id, part), { signal }),
  });

export const userSessionsQuery = (ref: string, id: string) => partQuery<UserSession>('sessions', ref, id);
export const userIdentitiesQuery = (ref: string, id: string) =>
  partQuery<UserIdentity>('identities', ref, id);
export const userPasskeysQuery = (ref: string, id: string) => partQuery<UserPasskey>('passkeys', ref, id);

export const useEndUserSession = (ref: string, id: string) =>
  useChange(
    (session: string) => manage(`${placeOf(ref, id, 'sessions')}/${session}`, { method: 'DELETE' }),
    keyOf(ref, id, 'sessions'),
  );

export const useEndUserSessions = (ref: string, id: string) =>
  useChange(
    () => manage<{ readonly ended: number }>(placeOf(ref, id, 'sessions'), { method: 'DELETE' }),
    keyOf(ref, id, 'sessions'),
  );

interface Removal {
  readonly item: string;
  /** It goes even if nothing else signs the user in. */
  readonly isEvenLast: boolean;
}

/** Takes a way to sign in from a user. */
export const useRemoveWayIn = (ref: string, id: string, part: 'identities' | 'passkeys') =>
  useChange(
    ({ item, isEvenLast }: Removal) =>
      manage(`${placeOf(ref, id, part)}/${encodeURIComponent(item)}${isEvenLast ? '?even_last=true' : ''}`, {
        method: 'DELETE',
      }),
    keyOf(ref, id, part),
  );
