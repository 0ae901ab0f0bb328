import type { KeyValueStorage } from '../auth/session-keeper.ts';
import { isPlinthError, type PlinthError } from '../errors.ts';
import type { Call, Http } from '../http.ts';
import { backoffMs, pause, throwIfAborted } from '../waiting.ts';
import type { Gate, Sending } from './sending.ts';

const pieceBytes = 8 * 1_048_576;
/** Failures in a row, without a byte between them, after which it is left to the caller. */
const mostFailures = 8;
/** For one piece: without progress of the line, or where none is told, in all. */
const pieceTimeoutMs = 60_000;
const root = '/storage/resumable';

/** Sends a file in pieces (tus 1.0.0). What was sent before, by this page or an earlier one, is not sent again. */
export async function uploadInPieces(
  http: Http,
  storage: KeyValueStorage | undefined,
  file: Blob,
  sending: Sending,
): Promise<string> {
  const { signal, gate, onSent } = sending;
  const { lastModified = '' } = file as Partial<File>;
  const key = `plinth:upload:${http.url}:${sending.path ?? ''}:${sending.name}:${file.size}:${lastModified}`;
  let id = (await storage?.getItem(key)) ?? undefined;
  let offset = 0;
  let isKnown = false;
  for (let failures = 0; !isKnown || offset < file.size; ) {
    await opened(gate, signal);
    try {
      if (!isKnown) {
        const found = id === undefined ? undefined : await offsetOf(http, id, sending);
        if (found === undefined) {
          id = await begin(http, file, sending);
          await storage?.setItem(key, id);
        }
        // What has come of a piece that was cut off counts.
        if ((found ?? 0) > offset) failures = 0;
        offset = found ?? 0;
        isKnown = true;
      } else {
        offset = await sendPiece(
          http,
          { id: id!, piece: file.slice(offset, offset + pieceBytes), offset },
          sending,
        );
        failures = 0;
      }
      onSent(offset);
    } catch (error) {
      throwIfAborted(signal);
      isKnown = false;
      if (!gate.isOpen) continue;
      failures += 1;
      if (!mayPass(error) || failures > mostFailures) throw error;
      await pause(error.retryAfterMs ?? backoffMs(failures), signal);
    }
  }
  await storage?.removeItem(key);
  return id!;
}

/** Waits while the upload is paused. */
async function opened(gate: Gate, signal: AbortSignal | undefined): Promise<void> {
  throwIfAborted(signal);
  while (!gate.isOpen) {
    await new Promise<void>((resolve) => {
      gate.open = resolve;
      signal?.addEventListener('abort', () => resolve(), { once: true });
    });
    throwIfAborted(signal);
  }
}

async function begin(http: Http, file: Blob, sending: Sending): Promise<string> {
  const { name, path, isPrivate } = sending;
  const metadata = Object.entries({ filename: name, path, private: isPrivate ? 'true' : undefined })
    .flatMap(([key, value]) => (value === undefined ? [] : [`${key} ${base64(value)}`]))
    .join(',');
  const headers = { 'Upload-Length': String(file.size), 'Upload-Metadata': metadata };
  const { response } = await http.reach(tus({ method: 'POST', path: root }, sending, headers));
  // Only its end: the rest of the address is as the server sees itself.
  return (response.headers.get('Location') ?? '').split('/').pop()!;
}

/** How far an upload has come; undefined if there is none. */
async function offsetOf(http: Http, id: string, sending: Sending): Promise<number | undefined> {
  try {
    const { response } = await http.reach(tus({ method: 'HEAD', path: `${root}/${id}` }, sending));
    return Number(response.headers.get('Upload-Offset'));
  } catch (error) {
    if (isPlinthError(error) && (error.status === 404 || error.status === 410)) return undefined;
    throw error;
  }
}

async function sendPiece(
  http: Http,
  { id, piece, offset }: { id: string; piece: Blob; offset: number },
  sending: Sending,
): Promise<number> {
  const { signal, gate, onSent } = sending;
  const stopper = new AbortController();
  const stop = () => stopper.abort();
  gate.stop = stop;
  signal?.addEventListener('abort', stop, { once: true });
  const headers = { 'Upload-Offset': String(offset), 'Content-Type': 'application/offset+octet-stream' };
  const call: Call = {
    timeoutMs: pieceTimeoutMs,
    ...tus({ method: 'PATCH', path: `${root}/${id}`, body: piece }, sending, headers),
    signal: stopper.signal,
    onProgress: (sent) => onSent(offset + Math.min(sent, piece.size)),
  };
  try {
    const { response } = await http.reach(call);
    return Number(response.headers.get('Upload-Offset'));
  } finally {
    gate.stop = undefined;
    signal?.removeEventListener('abort', stop);
  }
}

const tus = (
  call: Pick<Call, 'method' | 'path' | 'body'>,
  { signal, timeoutMs, headers }: Sending,
  more: Readonly<Record<string, string>> = {},
): Call => ({
  ...call,
  hasNoJson: true,
  ...(signal && { signal }),
  ...(timeoutMs && { timeoutMs }),
  headers: { 'Tus-Resumable': '1.0.0', ...more, ...headers },
});

/** Another try may mend it: no answer, a busy server, another place than thought, an upload that is gone. */
function mayPass(error: unknown): error is PlinthError {
  if (!isPlinthError(error)) return false;
  const { status, code } = error;
  return (
    status === 0 ||
    status > 501 ||
    [404, 409, 410].includes(status) ||
    code === 'upload_busy' ||
    code === 'rate_limited'
  );
}

const base64 = (text: string) =>
  btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''));
