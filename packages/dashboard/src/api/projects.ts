import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { listManaged, manage } from './management.ts';

/** What the people of a project decide about it. */
/** Of what the service says by itself: mails, hosted pages. */
export type Language = 'en' | 'de' | 'fr' | 'es';

export interface ProjectSettings {
  readonly responseFormat: 'envelope' | 'bare';
  readonly uploads: 'users' | 'server';
  readonly language: Language;
  readonly rooms: Readonly<Record<string, 'public' | 'users'>>;
  readonly logQueries: 'names' | 'full';
  readonly refuseBrowserKeys: boolean;
  readonly allow2faOptOut: boolean;
  readonly testReceivers: readonly string[];
}

export interface Project {
  readonly ref: string;
  readonly name: string;
  readonly role: 'owner' | 'teammate';
  readonly url?: string;
  readonly tier?: string;
  readonly allowedOrigins?: readonly string[];
  readonly settings?: ProjectSettings;
  readonly createdAt?: string;
  readonly expiresAt?: string;
  readonly deletedAt?: string;
}

export interface MadeProject extends Project {
  readonly apiKey: string;
}

export const projectsQuery = infiniteQueryOptions({
  queryKey: ['projects'],
  queryFn: ({ pageParam, signal }) =>
    listManaged<Project[]>(`/projects?limit=50${pageParam === '' ? '' : `&cursor=${pageParam}`}`, { signal }),
  initialPageParam: '',
  getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
});

export const projectQuery = (ref: string) =>
  queryOptions({
    queryKey: ['projects', ref],
    queryFn: ({ signal }) => manage<Project>(`/projects/${ref}`, { signal }),
  });

export function useCreateProject() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => manage<MadeProject>('/projects', { method: 'POST', body: { name } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: projectsQuery.queryKey }),
  });
}
