import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { type Account, accountQuery } from './account.ts';
import { manage } from './management.ts';
import { useChange } from './use-change.ts';

export interface Session {
  readonly id: string;
  readonly method: string;
  readonly device: string;
  readonly address: string;
  readonly signedInAt: string;
  readonly seenAt: string;
  readonly current: boolean;
}

export interface Token {
  readonly id: string;
  readonly name: string;
  readonly access: 'read' | 'write';
  readonly hint: string;
  readonly expiresAt: string;
  readonly usedAt?: string | null;
}

export const sessionsQuery = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: ({ signal }) => manage<Session[]>('/sessions', { signal }),
});

export const tokensQuery = queryOptions({
  queryKey: ['account', 'tokens'],
  queryFn: ({ signal }) => manage<Token[]>('/tokens', { signal }),
});

export function useRename() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => manage<Account>('/account', { method: 'PATCH', body: { name } }),
    onSuccess: (account) => queries.setQueryData(accountQuery.queryKey, account),
  });
}

export const useEndSession = () =>
  useChange((id: string) => manage<null>(`/sessions/${id}`, { method: 'DELETE' }), sessionsQuery.queryKey);

export const useRevokeToken = () =>
  useChange((id: string) => manage<null>(`/tokens/${id}`, { method: 'DELETE' }), tokensQuery.queryKey);

export interface NewToken {
  readonly name: string;
  readonly access: 'read' | 'write';
}

export const useMakeToken = () =>
  useChange(
    (wish: NewToken) => manage<Token & { readonly token: string }>('/tokens', { method: 'POST', body: wish }),
    tokensQuery.queryKey,
  );

/** What an authenticator app is set up with. */
export interface Setup {
  readonly secret: string;
  readonly uri: string;
}

export const useBeginFactor = () =>
  useMutation({ mutationFn: () => manage<Setup>('/account/authenticator', { method: 'POST' }) });

export const useConfirmFactor = () =>
  useMutation({
    mutationFn: (code: string) =>
      manage<{ readonly recovery_codes: readonly string[] }>('/account/authenticator/confirm', {
        method: 'POST',
        body: { code },
      }),
  });

export const useRemoveFactor = () =>
  useChange(() => manage<null>('/account/authenticator', { method: 'DELETE' }), accountQuery.queryKey);

/** Those of before stop working. */
export const useRenewCodes = () =>
  useMutation({
    mutationFn: () =>
      manage<{ readonly recovery_codes: readonly string[] }>('/account/recovery-codes', { method: 'POST' }),
  });

interface PasswordChange {
  readonly old_password: string;
  readonly new_password: string;
}

/** Every other session ends. */
export const useChangePassword = () =>
  useChange(
    (given: PasswordChange) => manage<Account>('/account/password', { method: 'POST', body: given }),
    sessionsQuery.queryKey,
  );

export const useVerifyAgain = () =>
  useMutation({ mutationFn: () => manage<null>('/account/verification', { method: 'POST' }) });

/** Mails a link with which a password is chosen. */
export const useAskForPassword = () =>
  useMutation({
    mutationFn: (email: string) => manage<null>('/password-reset', { method: 'POST', body: { email } }),
  });
