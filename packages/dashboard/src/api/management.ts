import { isPlinthError } from '@plinth/client';
import type { ErrorCode } from '@plinth/protocol';

/** Why a call was refused, in the service's own words. */
export class Refusal extends Error {
  readonly code: ErrorCode | 'unreachable';
  readonly status: number;
  readonly requestId: string | undefined;

  constructor(message: string, about: Pick<Refusal, 'code' | 'status' | 'requestId'>) {
    super(message);
    this.name = 'Refusal';
    this.code = about.code;
    this.status = about.status;
    this.requestId = about.requestId;
  }
}

/** Has the session ended? */
export const isSignedOut = (error: unknown): boolean =>
  (error instanceof Refusal || isPlinthError(error)) && error.code === 'account_required';

interface Sent {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  /** The app user whose eyes a read of a project is made with; `nobody`: one who is not signed in. */
  readonly as?: string;
}

/** A page of a list. */
export interface Listed<Data> {
  readonly data: Data;
  readonly nextCursor: string | null;
}

interface Envelope {
  readonly error?: { readonly code: ErrorCode; readonly message: string; readonly requestId?: string };
}

/** What the service takes for a call of this page, and of no other site's. */
export const ownHeaders = {
  'X-Plinth-Dashboard': '1',
  // A project may prefer its answers bare.
  'X-Response-Format': 'envelope',
} as const;

/** Calls the management API with the session that the browser keeps; what stands beside `data` is there too. */
export async function askManaged<Answer extends { readonly data: unknown }>(
  path: string,
  sent: Sent = {},
): Promise<Answer> {
  const { method = 'GET', body, signal, as } = sent;
  const response = await fetch(`/management${path}`, {
    method,
    headers: {
      ...ownHeaders,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(as !== undefined && { 'X-Plinth-As': as }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  }).catch((cause: unknown) => {
    if (signal?.aborted) throw cause;
    throw new Refusal('The service cannot be reached. Is it running, and are you online?', unreachable);
  });
  const answer = (await response.json().catch(() => ({}))) as Partial<Answer> & Envelope;
  if (response.ok && answer.data !== undefined) return answer as Answer;
  const {
    code = 'internal_error',
    message = `The service responded with ${response.status}.`,
    requestId,
  } = answer.error ?? {};
  throw new Refusal(message, { code, status: response.status, requestId });
}

export async function listManaged<Data>(path: string, sent?: Sent): Promise<Listed<Data>> {
  const { data, nextCursor } = await askManaged<{ data: Data; nextCursor?: string | null }>(path, sent);
  return { data, nextCursor: nextCursor ?? null };
}

const unreachable = { code: 'unreachable', status: 0, requestId: undefined } as const;

export async function manage<Data>(path: string, sent?: Sent): Promise<Data> {
  return (await listManaged<Data>(path, sent)).data;
}
