import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError } from './usage.ts';

/** Where a project or the management of a deployment is, and what says who calls. */
export interface ServiceAddress {
  readonly url: string;
  readonly credential: Readonly<Record<string, string>>;
}

interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly details?: unknown;
}

/** What a service answered; `error` where it refused. */
export interface ServiceAnswer<Data> {
  readonly data?: Data;
  readonly warnings?: readonly string[];
  readonly nextCursor?: string | null;
  readonly error?: Failure;
}

/** Calls that are told to wait do so this often. */
const mostWaits = 5;
const longestWaitS = 60;

/** Calls a service. A refusal is an answer; what is not an answer of Plinth fails. */
export async function askService<Data>(
  { url, credential }: ServiceAddress,
  path: string,
  { method = 'GET', body, headers }: Call = {},
): Promise<ServiceAnswer<Data>> {
  for (let waits = 0; ; waits += 1) {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...credential,
        'X-Response-Format': 'envelope',
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).catch((cause: unknown) => {
      throw new CommandError(`${url} cannot be reached. Is the service running?`, { cause });
    });
    const waitS = Number(response.headers.get('retry-after') ?? Number.NaN);
    if (response.status === 429 && waitS <= longestWaitS && waits < mostWaits) {
      await response.body?.cancel();
      await sleep(waitS * 1000);
      continue;
    }
    const answer = (await response.json().catch(() => ({}))) as ServiceAnswer<Data>;
    if (answer.error !== undefined || (response.ok && answer.data !== undefined)) return answer;
    throw new CommandError(`${url}: Returned ${response.status}, which is not a response of Plinth.`);
  }
}

/** Calls a service that is expected to do as it is told. */
export async function callService<Data>(
  address: ServiceAddress,
  path: string,
  call?: Call,
): Promise<{ data: Data; warnings: readonly string[]; nextCursor: string | null }> {
  const { data, error, warnings = [], nextCursor = null } = await askService<Data>(address, path, call);
  if (data !== undefined) return { data, warnings, nextCursor };
  throw new CommandError(`${address.url}: ${error?.message}`);
}
