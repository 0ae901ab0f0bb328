import { queryOptions, useMutation } from '@tanstack/react-query';
import { manage } from './management.ts';
import { projectsQuery } from './projects.ts';
import { useChange } from './use-change.ts';

export interface Member {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: 'owner' | 'teammate';
  readonly since: string;
}

export interface Invitation {
  readonly id: string;
  readonly email: string;
  readonly createdAt: string;
  readonly expiresAt: string;
}

export interface MadeInvitation extends Invitation {
  /** Only where no mail is sent. */
  readonly link?: string;
}

export const teamQuery = (ref: string) =>
  queryOptions({
    queryKey: ['projects', ref, 'team'],
    queryFn: ({ signal }) => manage<Member[]>(`/projects/${ref}/team`, { signal }),
    // Others join and leave meanwhile: whoever opens the page sees who is there now.
    staleTime: 0,
  });

export const invitationsQuery = (ref: string) =>
  queryOptions({
    queryKey: ['projects', ref, 'invitations'],
    queryFn: ({ signal }) => manage<Invitation[]>(`/projects/${ref}/invitations`, { signal }),
    staleTime: 0,
  });

export const useInvite = (ref: string) =>
  useChange(
    (email: string) =>
      manage<MadeInvitation>(`/projects/${ref}/invitations`, { method: 'POST', body: { email } }),
    invitationsQuery(ref).queryKey,
  );

export const useResend = (ref: string) =>
  useChange(
    (id: string) => manage<MadeInvitation>(`/projects/${ref}/invitations/${id}/resend`, { method: 'POST' }),
    invitationsQuery(ref).queryKey,
  );

export const useWithdraw = (ref: string) =>
  useChange(
    (id: string) => manage<null>(`/projects/${ref}/invitations/${id}`, { method: 'DELETE' }),
    invitationsQuery(ref).queryKey,
  );

export const useRemoveTeammate = (ref: string) =>
  useChange(
    (account: string) => manage<null>(`/projects/${ref}/team/${account}`, { method: 'DELETE' }),
    teamQuery(ref).queryKey,
  );

export const useLeave = (ref: string) =>
  useMutation({ mutationFn: () => manage<null>(`/projects/${ref}/leave`, { method: 'POST' }) });

/** An invitation to whoever is signed in. */
export interface OwnInvitation extends Invitation {
  readonly project: { readonly ref: string; readonly name: string };
  readonly invitedBy: string | null;
}

export const ownInvitationsQuery = queryOptions({
  queryKey: ['own-invitations'],
  queryFn: ({ signal }) => manage<OwnInvitation[]>('/invitations', { signal }),
  staleTime: 0,
});

export const useAccept = () =>
  useChange(
    (id: string) => manage<null>('/invitations/accept', { method: 'POST', body: { id } }),
    ownInvitationsQuery.queryKey,
    projectsQuery.queryKey,
  );
