import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { manage } from './management.ts';
import { type Project, type ProjectSettings, projectQuery, projectsQuery } from './projects.ts';
import { useChange } from './use-change.ts';

export type ConfigValue = string | number | boolean | null;

export interface Config {
  readonly key: string;
  readonly value: ConfigValue;
  readonly default: ConfigValue;
  readonly isSet: boolean;
  /** What it may be. */
  readonly form: string;
  readonly meaning: string;
  /** What the present value leads to that nobody may want. */
  readonly warning: string | null;
}

export const configsQuery = (ref: string) =>
  queryOptions({
    queryKey: ['projects', ref, 'configs'],
    queryFn: ({ signal }) => manage<Config[]>(`/projects/${ref}/configs`, { signal }),
  });

/** Sets those that are named; null gives one its default again. */
export function useChangeConfigs(ref: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (changes: Readonly<Record<string, ConfigValue>>) =>
      manage<Config[]>(`/projects/${ref}/configs`, { method: 'PATCH', body: changes }),
    onSuccess: (configs) => queries.setQueryData(configsQuery(ref).queryKey, configs),
  });
}

export function useChangeSettings(ref: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (changes: Partial<ProjectSettings>) =>
      manage<Project>(`/projects/${ref}/settings`, { method: 'PATCH', body: changes }),
    onSuccess: (project) => queries.setQueryData(projectQuery(ref).queryKey, project),
  });
}

export function useSetOrigins(ref: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (origins: readonly string[]) =>
      manage<string[]>(`/projects/${ref}/origins`, { method: 'PUT', body: { origins } }),
    onSuccess: (allowedOrigins) =>
      queries.setQueryData(
        projectQuery(ref).queryKey,
        (project) => project && { ...project, allowedOrigins },
      ),
  });
}

export const useRenameProject = (ref: string) =>
  useChange(
    (name: string) => manage<Project>(`/projects/${ref}`, { method: 'PATCH', body: { name } }),
    projectQuery(ref).queryKey,
    projectsQuery.queryKey,
  );

/** The old key is refused at once; the new one is in the answer, and nowhere else. */
export const useReplaceApiKey = (ref: string) =>
  useMutation({
    mutationFn: () => manage<{ readonly apiKey: string }>(`/projects/${ref}/api-key`, { method: 'POST' }),
  });

export const useTransfer = (ref: string) =>
  useChange(
    (account: string) => manage<null>(`/projects/${ref}/transfer`, { method: 'POST', body: { account } }),
    projectQuery(ref).queryKey,
    projectsQuery.queryKey,
  );

/** It is gone for everybody at once, and can be restored for a week. */
export const useDeleteProject = (ref: string) =>
  useMutation({ mutationFn: () => manage<null>(`/projects/${ref}`, { method: 'DELETE' }) });

export const useRestoreProject = () =>
  useChange(
    (ref: string) => manage<Project>(`/projects/${ref}/restore`, { method: 'POST' }),
    projectsQuery.queryKey,
  );
