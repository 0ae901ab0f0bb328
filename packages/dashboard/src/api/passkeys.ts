import {
  askForPasskey,
  type CreationOptions,
  makePasskey,
  type RequestOptions,
} from '@plinth/client/webauthn';
import { queryOptions } from '@tanstack/react-query';
import { texts } from '../texts.ts';
import { manage } from './management.ts';
import { useChange } from './use-change.ts';

export interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  readonly backedUp: boolean;
}

export const passkeysQuery = queryOptions({
  queryKey: ['account', 'passkeys'],
  queryFn: ({ signal }) => manage<Passkey[]>('/account/passkeys', { signal }),
});

/** Whether this browser knows passkeys; they need HTTPS or localhost. */
export const knowsPasskeys = (): boolean => 'PublicKeyCredential' in globalThis;

/** What a browser throws when somebody turns away, in words of ours. */
async function asked<Made>(ask: Promise<Made>): Promise<Made> {
  try {
    return await ask;
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    const known = error.name === 'InvalidStateError' ? texts.account.passkeyKnown : texts.account.passkeyNone;
    throw new Error(known, { cause: error });
  }
}

/** Asks the device for a passkey and signs in with it. */
export async function signInByPasskey<Account>(): Promise<Account> {
  const options = await manage<RequestOptions>('/session/passkey/begin', { method: 'POST' });
  const response = await asked(askForPasskey(options));
  return manage<Account>('/session/passkey', { method: 'POST', body: { response } });
}

export const useAddPasskey = () =>
  useChange(async (name: string) => {
    const options = await manage<CreationOptions>('/account/passkeys', { method: 'POST' });
    const response = await asked(makePasskey(options));
    return manage<Passkey>('/account/passkeys/confirm', { method: 'POST', body: { response, name } });
  }, passkeysQuery.queryKey);

export const useRenamePasskey = () =>
  useChange(
    ({ id, name }: { readonly id: string; readonly name: string }) =>
      manage<Passkey>(`/account/passkeys/${id}`, { method: 'PATCH', body: { name } }),
    passkeysQuery.queryKey,
  );

export const useDeletePasskey = () =>
  useChange(
    (id: string) => manage<null>(`/account/passkeys/${id}`, { method: 'DELETE' }),
    passkeysQuery.queryKey,
  );
