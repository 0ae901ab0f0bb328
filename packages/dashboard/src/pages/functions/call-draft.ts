import { type CallMethod, type FunctionCall, takesBody } from '../../api/call-function.ts';

/** A call while it is being written. */
export interface Draft {
  readonly method: CallMethod;
  readonly path: string;
  readonly headers: string;
  readonly body: string;
  readonly as: 'server' | 'user' | 'nobody';
  readonly user: string;
}

export const firstDraft: Draft = { method: 'GET', path: '', headers: '', body: '', as: 'server', user: '' };

/** The headers of a text, a line each; or the first line that is none. */
export function readHeaders(text: string): {
  readonly headers: FunctionCall['headers'];
  readonly wrong?: string;
} {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const read = lines.map((line) => /^\s*([\w!#$%&'*+.^`|~-]+)\s*:\s*([\x20-\x7e]*)$/.exec(line));
  const at = read.indexOf(null);
  const headers = read.flatMap((parts) =>
    parts ? [[parts[1] ?? '', (parts[2] ?? '').trim()] as const] : [],
  );
  return { headers, ...(at >= 0 && { wrong: lines[at] ?? '' }) };
}

/** The call, if it can be made. */
export function callOf(name: string, draft: Draft): FunctionCall | undefined {
  const { method, path, body, as, user } = draft;
  const { headers, wrong } = readHeaders(draft.headers);
  if (wrong !== undefined) return undefined;
  // The service lets nobody write in the name of a user.
  if (as === 'user' && (user === '' || takesBody(method))) return undefined;
  return { name, method, path: path.trim(), headers, body, as: as === 'user' ? { user } : as };
}
