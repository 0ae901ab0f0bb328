import type { ErrorCode } from '@plinth/protocol';

/** Codes of the client itself, for errors that do not come from the service. `function_error`: your function failed. */
export type ClientErrorCode =
  | 'network_failed'
  | 'timed_out'
  | 'invalid_answer'
  | 'no_websocket'
  | 'function_error';

export interface ErrorFacts {
  readonly code: ErrorCode | ClientErrorCode;
  readonly message: string;
  readonly status: number;
  readonly details?: unknown;
  readonly requestId?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/** The error of a request. Check `code` in your program; `message` says what happened and what to do. */
export class PlinthError extends Error {
  override readonly name = 'PlinthError';
  readonly code: ErrorCode | ClientErrorCode;
  /** The HTTP status; 0 if there was no response. */
  readonly status: number;
  /** Further details, such as the invalid field. */
  readonly details: unknown;
  /** Identifies the request in the logs of the server. */
  readonly requestId: string | undefined;
  /** How long the server asks to wait before retrying. */
  readonly retryAfterMs: number | undefined;

  constructor({ message, cause, code, status, details, requestId, retryAfterMs }: ErrorFacts) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = status;
    this.details = details;
    this.requestId = requestId;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Whether it is the error of a request, with one of these codes. Without codes, any error of a request. */
export function isPlinthError<Code extends ErrorCode | ClientErrorCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is PlinthError & { readonly code: Code } {
  // By name: an app may have two copies of this package.
  const { name, code } = (error ?? {}) as Partial<PlinthError>;
  return name === 'PlinthError' && (codes.length === 0 || codes.includes(code as Code));
}

/** Returns the result or the error, as an alternative to `try`. */
export async function attempt<Result>(
  work: Promise<Result>,
): Promise<{ data: Result; error?: never } | { data?: never; error: PlinthError }> {
  try {
    return { data: await work };
  } catch (error) {
    if (isPlinthError(error)) return { error };
    throw error;
  }
}
