import type { ErrorCode } from '@plinth/protocol';

/** Codes of the client itself, for what no server has answered. */
export type ClientErrorCode = 'network_failed' | 'timed_out' | 'invalid_answer' | 'no_websocket';

export interface ErrorFacts {
  readonly code: ErrorCode | ClientErrorCode;
  readonly message: string;
  readonly status: number;
  readonly details?: unknown;
  readonly requestId?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/** Why a call failed. Decide by `code`; `message` says what happened and what to do. */
export class PlinthError extends Error {
  override readonly name = 'PlinthError';
  readonly code: ErrorCode | ClientErrorCode;
  /** 0: no answer came. */
  readonly status: number;
  /** More about it, such as the field that is wrong. */
  readonly details: unknown;
  /** Finds the call in the logs of the server. */
  readonly requestId: string | undefined;
  /** How long the server asks to wait before the next try. */
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

/** Is it the failure of a call, with one of these codes? Any code will do if none is named. */
export function isPlinthError<Code extends ErrorCode | ClientErrorCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is PlinthError & { readonly code: Code } {
  // By name: an app may have two copies of this package.
  const { name, code } = (error ?? {}) as Partial<PlinthError>;
  return name === 'PlinthError' && (codes.length === 0 || codes.includes(code as Code));
}

/** The result or the failure, for those who would rather not use `try`. */
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
