import { PlinthError } from './errors.ts';
import type { Reply } from './http.ts';

/** What a function has answered, or how it has failed; undefined if the service itself has answered. */
export function readFunctionReply({
  response,
  text,
}: Reply): { readonly data: unknown } | PlinthError | undefined {
  const { headers, ok, status } = response;
  // On everything that a function has answered, and on nothing that the service says itself.
  if (!headers.has('X-Function-Run')) return undefined;
  const isJson = /^application\/([\w.-]+\+)?json\b/i.test(headers.get('Content-Type') ?? '');
  const data = isJson ? parsed(text) : text;
  if (ok) return { data };
  return new PlinthError({
    code: 'function_error',
    status,
    message: messageIn(data) ?? `The function returned ${status}.`,
    details: data,
    requestId: headers.get('X-Request-Id') ?? undefined,
  });
}

/** JSON as a value, anything else as it is. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** What a function says went wrong: `{error: "…"}`, `{error: {message: "…"}}`, `{message: "…"}`, or plain text. */
function messageIn(body: unknown): string | undefined {
  if (typeof body === 'string') return body === '' || body.startsWith('<') ? undefined : body;
  const { error, message } = (body ?? {}) as { error?: unknown; message?: unknown };
  return error === undefined ? (typeof message === 'string' ? message : undefined) : messageIn(error);
}
