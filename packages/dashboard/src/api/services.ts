import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { manage } from './management.ts';

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
