import type { AnyProject, User, UserChanges } from '@plinth/client';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { manage } from './management.ts';
import { projectClient } from './project-client.ts';
import { userSignInsKey } from './user-sign-ins.ts';

/** An app user, as the project's server sees it. */
export interface AppUser extends User {
  readonly suspended?: true;
}

/** Which users are listed; it is part of the address. */
export interface UsersLook {
  readonly search?: string;
  readonly role?: string;
  readonly verified?: 'yes' | 'no';
  readonly filter?: string;
  readonly page?: number;
}

export const usersOnPage = 50;
const lookEveryMs = 4000;

function queryOf({ search, role, verified, filter, page = 1 }: UsersLook): string {
  return [
    `limit=${usersOnPage}&offset=${(page - 1) * usersOnPage}`,
    ...(search ? [`email_contains=${encodeURIComponent(search)}`] : []),
    ...(role ? [`role=${encodeURIComponent(role)}`] : []),
    ...(verified ? [`email_verified=${verified === 'yes'}`] : []),
    ...(filter ? [filter] : []),
  ].join('&');
}

const usersKey = (ref: string) => ['projects', ref, 'users'] as const;

export const usersQuery = (ref: string, look: UsersLook) =>
  queryOptions({
    queryKey: [...usersKey(ref), 'list', look],
    queryFn: ({ signal }) => projectClient(ref).users.page(queryOf(look), { signal }),
    // The page before stays until the next is there.
    placeholderData: keepPreviousData,
    // Whoever tries the first sign-up in a terminal sees it come.
    refetchInterval: ({ state: { data } }) => (data?.total === 0 ? lookEveryMs : false),
  });

export const userQuery = (ref: string, id: string) =>
  queryOptions({
    queryKey: [...usersKey(ref), 'one', id],
    queryFn: ({ signal }): Promise<AppUser> => projectClient(ref).users.get(id, { signal }),
  });

export interface NewAppUser {
  readonly email: string;
  readonly role?: string;
  readonly password?: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

export function useCreateUser(ref: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (user: NewAppUser): Promise<AppUser> => projectClient(ref).users.create(user),
    onSuccess: () => queries.invalidateQueries({ queryKey: usersKey(ref) }),
  });
}

/** Changes a user; several changes are made one after the other. */
export function useChangeUser(ref: string, id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (changes: readonly UserChanges<AnyProject>[]) => {
      for (const change of changes) await projectClient(ref).users.update(id, change);
    },
    // Also after a failure: some of the changes may have been made.
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: usersKey(ref) }),
        queries.invalidateQueries({ queryKey: userSignInsKey(ref, id) }),
      ]),
  });
}

export function useDeleteUser(ref: string, id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => projectClient(ref).users.delete(id),
    onSuccess: () => queries.invalidateQueries({ queryKey: [...usersKey(ref), 'list'] }),
  });
}

/** Mails a link by which a user sets a password, the first or a new one. */
export const useMailPasswordLink = (ref: string) =>
  useMutation({
    mutationFn: (email: string) =>
      manage<{ readonly sent: true }>(`/p/${ref}/auth-collections/forgot-password`, {
        method: 'POST',
        body: { email },
      }),
  });
