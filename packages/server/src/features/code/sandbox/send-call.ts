import type { Readable } from 'node:stream';
import type { CodeProcess } from './code-process.ts';
import { type Invocation, SandboxError, type Thrown } from './invocation.ts';

const ownPrefix = 'x-plinth-';

/** What a process answered, before it is known when the call ends. */
export interface ProcessAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Readable;
  readonly isValue: boolean;
  readonly isPending: boolean;
}

export async function sendCall(process: CodeProcess, call: Invocation, id: string): Promise<ProcessAnswer> {
  await process.settle(call.settings);
  const { body, headers, statusCode } = await process.request({
    path: call.kind === 'call' ? '/call' : '/event',
    method: call.method,
    headers: headersOf(call, id),
    body: call.body,
  });
  if (headers['x-plinth-failed'] === '1') {
    const thrown = (await body.json()) as Thrown;
    throw new SandboxError('failed', thrown.message, thrown);
  }
  return {
    status: statusCode,
    headers: withoutOwn(headers),
    body,
    isValue: headers['x-plinth-value'] === '1',
    isPending: headers['x-plinth-pending'] === '1',
  };
}

/** What a caller sends must not look like what we say: `x-plinth-user` would be anybody. */
function headersOf({ headers, file, url, user }: Invocation, id: string): Record<string, string | string[]> {
  return {
    ...withoutOwn(headers),
    'x-plinth-call': id,
    'x-plinth-file': file,
    'x-plinth-url': url,
    ...(user && { 'x-plinth-user': encodeURIComponent(JSON.stringify(user)) }),
  };
}

function withoutOwn(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Record<string, string | string[]> {
  const kept: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !name.toLowerCase().startsWith(ownPrefix))
      kept[name] = typeof value === 'string' ? value : [...value];
  return kept;
}
