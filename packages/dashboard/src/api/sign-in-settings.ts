import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { manage } from './management.ts';
import { type Project, projectQuery } from './projects.ts';

export type ConfigValue = string | number | boolean | null;

/** A configuration key, as the service describes it. */
export interface ConfigKey {
  readonly key: string;
  readonly value: ConfigValue;
  readonly default: ConfigValue;
  readonly isSet: boolean;
  readonly form: string;
  readonly meaning: string;
  /** What the present value leads to that nobody may want. */
  readonly warning: string | null;
}

export type Language = 'en' | 'de' | 'fr' | 'es';

interface SignInSettings {
  readonly language?: Language;
  readonly allow2faOptOut?: boolean;
  readonly testReceivers?: readonly string[];
}

/** What a project has set besides its configuration keys. */
export const settingsOf = (project: Project): SignInSettings =>
  (project as Project & { readonly settings?: SignInSettings }).settings ?? {};

export const configsQuery = (ref: string) =>
  queryOptions({
    queryKey: ['projects', ref, 'configs'],
    queryFn: ({ signal }) => manage<ConfigKey[]>(`/projects/${ref}/configs`, { signal }),
  });

/** Sets keys; null gives one its default again. */
export function useChangeConfigs(ref: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (changes: Readonly<Record<string, ConfigValue>>) =>
      manage<ConfigKey[]>(`/projects/${ref}/configs`, { method: 'PATCH', body: changes }),
    onSuccess: (configs) => queries.setQueryData(configsQuery(ref).queryKey, configs),
  });
}

export function useChangeSignInSettings(ref: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (changes: SignInSettings) =>
      manage<Project>(`/projects/${ref}/settings`, { method: 'PATCH', body: changes }),
    onSuccess: (project) => queries.setQueryData(projectQuery(ref).queryKey, project),
  });
}

/** Whose pages may call the project, and where a sign-in may lead back to. */
export function useSetOrigins(ref: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (origins: readonly string[]) =>
      manage<string[]>(`/projects/${ref}/origins`, { method: 'PUT', body: { origins } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: projectQuery(ref).queryKey, exact: true }),
  });
}

/** The names of the services that were set up: `mail`, `sms`, `provider:google`. Their settings are never shown. */
export const servicesQuery = (ref: string) =>
  queryOptions({
    queryKey: ['projects', ref, 'services'],
    queryFn: ({ signal }) => manage<string[]>(`/projects/${ref}/services`, { signal }),
  });

interface Service {
  readonly service: string;
  readonly settings: Readonly<Record<string, string | number>>;
}

export function useSetService(ref: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ service, settings }: Service) =>
      manage<null>(`/projects/${ref}/services/${encodeURIComponent(service)}`, {
        method: 'PUT',
        body: settings,
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: servicesQuery(ref).queryKey }),
  });
}

export function useForgetService(ref: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (service: string) =>
      manage<null>(`/projects/${ref}/services/${encodeURIComponent(service)}`, { method: 'DELETE' }),
    onSuccess: () => queries.invalidateQueries({ queryKey: servicesQuery(ref).queryKey }),
  });
}

/** Begins a sign-in at a provider, as an app would: what is wrong with its settings is said. */
export const useTryProvider = (ref: string) =>
  useMutation({
    mutationFn: ({ name, redirectUri }: { readonly name: string; readonly redirectUri: string }) =>
      manage<{ readonly url: string }>(
        `/p/${ref}/auth-collections/oauth/${name}?redirect_uri=${encodeURIComponent(redirectUri)}&pkce=true`,
      ),
  });
