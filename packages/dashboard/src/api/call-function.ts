import { useMutation } from '@tanstack/react-query';
import { ownHeaders, Refusal } from './management.ts';

export const callMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'] as const;
export type CallMethod = (typeof callMethods)[number];

/** A call of a function, as somebody put it together. */
export interface FunctionCall {
  readonly name: string;
  readonly method: CallMethod;
  /** What comes after the name, with the query. */
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  readonly as: 'server' | 'nobody' | { readonly user: string };
}

/** What came back. */
export interface FunctionAnswer {
  /** 0: a redirect, of which browsers do not say where it leads. */
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Blob;
  readonly ms: number;
  /** The run that it made, if one was made. */
  readonly run: string | undefined;
}

export const takesBody = (method: CallMethod): boolean => method !== 'GET' && method !== 'HEAD';

/** What comes after the address of the project. */
export const pathOfCall = ({ name, path }: Pick<FunctionCall, 'name' | 'path'>): string =>
  `/functions/${encodeURIComponent(name)}${path === '' || /^[/?]/.test(path) ? '' : '/'}${path}`;

/** The headers of a call, with the usual type of a body. */
export function headersOfCall({ method, headers, body }: FunctionCall): FunctionCall['headers'] {
  const isTyped = headers.some(([name]) => name.toLowerCase() === 'content-type');
  const needsType = takesBody(method) && body !== '' && !isTyped;
  return needsType ? [['Content-Type', 'application/json'], ...headers] : headers;
}

export const useCallFunction = (ref: string) =>
  useMutation({ mutationFn: (call: FunctionCall) => callFunction(ref, call) });

async function callFunction(ref: string, call: FunctionCall): Promise<FunctionAnswer> {
  const { method, body, as } = call;
  const isStranger = as === 'nobody';
  const begun = performance.now();
  const response = await fetch(`${isStranger ? '' : '/management'}/p/${ref}${pathOfCall(call)}`, {
    method,
    headers: [
      ...headersOfCall(call).map(([name, value]): [string, string] => [name, value]),
      ...(isStranger ? [] : Object.entries(ownHeaders)),
      ...(typeof as === 'object' ? [['X-Plinth-As', as.user] as [string, string]] : []),
    ],
    // Where it leads may be another site, which this page may not call.
    redirect: 'manual',
    credentials: isStranger ? 'omit' : 'same-origin',
    ...(takesBody(method) && body !== '' && { body }),
  }).catch((cause: unknown) => {
    // What the browser does not send, such as a header that it keeps to itself, has no answer.
    const about = { code: 'unreachable', status: 0, requestId: undefined } as const;
    throw new Refusal(cause instanceof Error ? cause.message : String(cause), about);
  });
  const blob = await response.blob();
  const ms = performance.now() - begun;
  const run = response.headers.get('x-function-run') ?? (await runIn(response, blob));
  return { status: response.status, headers: Array.from(response.headers), body: blob, ms, run };
}

/** A failure names its run inside. */
async function runIn({ ok }: Response, body: Blob): Promise<string | undefined> {
  if (ok) return undefined;
  try {
    const { error } = JSON.parse(await body.text()) as { error?: { details?: { run?: unknown } } };
    return typeof error?.details?.run === 'string' ? error.details.run : undefined;
  } catch {
    return undefined;
  }
}
