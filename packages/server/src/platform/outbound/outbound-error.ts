/** A call to another service that could not be made, in words for whoever configured it: no path, no query, no secret. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
}

const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its host name does not exist',
  EAI_AGAIN: 'its host name could not be resolved',
  ECONNREFUSED: 'it refused the connection',
  ECONNRESET: 'it closed the connection',
  UND_ERR_SOCKET: 'it closed the connection',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'there is no route to it',
  ETIMEDOUT: 'it does not respond',
  UND_ERR_CONNECT_TIMEOUT: 'it does not respond',
};

/** Words a failure of the network; `host` is what was called, without path and query. */
export function toOutboundError(host: string, error: unknown): OutboundError {
  if (error instanceof OutboundError) return error;
  const { name, code, cause, message = '', errors } = failureOf(error);
  if (name === 'TimeoutError' || name === 'AbortError')
    return new OutboundError(`${host} did not respond in time.`);
  if (message.includes('redirect'))
    return new OutboundError(`${host} returned a redirect, which is not followed.`);
  const reason = code === undefined ? undefined : reasons[code];
  if (reason !== undefined) return new OutboundError(`${host} cannot be reached: ${reason}.`);
  const deeper = cause ?? errors?.[0];
  if (deeper !== undefined) return toOutboundError(host, deeper);
  if (code !== undefined && /CERT|TLS|SSL|SIGNATURE|ISSUER|SIGNED/.test(code))
    return new OutboundError(`${host} has no trusted certificate (${code}).`);
  return new OutboundError(`${host} cannot be reached${code === undefined ? '' : ` (${code})`}.`);
}

function failureOf(error: unknown): Failure {
  return typeof error === 'object' && error !== null ? error : {};
}

interface Failure {
  readonly name?: string;
  readonly code?: string;
  readonly cause?: unknown;
  readonly message?: string;
  /** If several addresses were tried. */
  readonly errors?: readonly unknown[];
}
