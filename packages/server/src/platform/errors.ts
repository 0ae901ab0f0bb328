import { type ErrorCode, errorCatalogue } from '@plinth/protocol';

/** A failure the caller is told about, rendered by the one error handler. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: unknown;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    message: string,
    extra: { details?: unknown; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.name = 'AppError';
    this.code = code;
    this.status = errorCatalogue[code].status;
    this.details = extra.details;
    this.headers = extra.headers ?? {};
  }
}

interface Wording {
  /** Says what happened and what to do. */
  readonly message: string;
  readonly details?: unknown;
  readonly headers?: Record<string, string>;
}

/** Declares how an error of the catalogue is worded; the result makes one to throw. */
export function defineError<Parameters extends unknown[]>(
  code: ErrorCode,
  wording: (...parameters: Parameters) => string | Wording,
): (...parameters: Parameters) => AppError {
  return (...parameters) => {
    const worded = wording(...parameters);
    return typeof worded === 'string'
      ? new AppError(code, worded)
      : new AppError(code, worded.message, worded);
  };
}
