import type { Readable } from 'node:stream';
import type { CodeProcess } from './code-process.ts';
import { type Invocation, SandboxError, type Thrown } from './invocation.ts';
import { readAtMost } from './read-at-most.ts';

const ownPrefix = 'x-plinth-';
/** Bytes of what a call that failed says of it. */
const mostThrownBytes = 65_536;

/** What a process answered, before it is known when the call ends. */
export interface ProcessAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Readable;
  readonly isValue: boolean;
  readonly isPending: boolean;
}

export async function sendCall(
  process: CodeProcess,
  call: Invocation,
  { id, signal }: { id: string; signal: AbortSignal },
): Promise<ProcessAnswer> {
  await process.settle(call.settings);
  const { body, headers, statusCode } = await process.request({
    path: call.kind === 'call' ? '/call' : '/event',
    method: call.method,
    headers: headersOf(call, id),
    body: call.body,
    signal,
  });
  if (headers['x-plinth-failed'] === '1') {
    const thrown = readThrown(await readAtMost(body, mostThrownBytes));
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

/** Code can say that it failed in any words, and in any shape. */
function readThrown(text = ''): Thrown {
  const otherwise = { name: 'Error', message: 'The function failed.', stack: '' };
  try {
    const { name, message, stack } = JSON.parse(text) as Record<string, unknown>;
    if (typeof name !== 'string' || typeof message !== 'string' || typeof stack !== 'string')
      return otherwise;
    return { name, message, stack };
  } catch {
    return otherwise;
  }
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
