/** What a call may take; beyond it the caller gives up, as apps do. */
const withinMs = 30_000;

export interface Asked {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
}

export interface Reply {
  /** 0: there was no answer. */
  readonly status: number;
  /** The code of the error, or what went wrong on the way. */
  readonly code: string;
  readonly document: Readonly<Record<string, unknown>>;
}

/** One call, which never throws: a node that is gone is what these runs are about. */
export async function call(url: string, apiKey: string, asked: Asked): Promise<Reply> {
  const { method, path, body, idempotencyKey } = asked;
  try {
    const response = await fetch(`${url}${path}`, {
      method,
      signal: AbortSignal.timeout(withinMs),
      headers: {
        'x-api-key': apiKey,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const json = (await response.json()) as {
      data?: Record<string, unknown>;
      error?: { code: string };
    };
    return { status: response.status, code: json.error?.code ?? '', document: json.data ?? {} };
  } catch (error) {
    return { status: 0, code: error instanceof Error ? error.name : 'no answer', document: {} };
  }
}
