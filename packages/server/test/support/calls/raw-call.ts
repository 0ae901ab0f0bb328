import { connect } from 'node:net';
import { expect } from 'vitest';

export interface RawReply {
  readonly status: number;
  readonly head: string;
  readonly text: string;
}

/** Sends bytes as they are, where fetch would tidy them up, and reads the answer until the server closes. */
export async function rawCall(url: string, request: string | Buffer): Promise<RawReply> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const pieces: Buffer[] = [];
  await new Promise<void>((end, fail) => {
    socket.setTimeout(60_000, () => socket.destroy(new Error('The server did not answer within a minute.')));
    socket.on('data', (piece) => pieces.push(piece));
    // Of a request it refuses, the server may close before all of it is read.
    socket.on('error', (error) => (pieces.length > 0 ? end() : fail(error)));
    socket.on('close', () => end());
    socket.write(request);
  });
  const whole = Buffer.concat(pieces).toString();
  const at = whole.indexOf('\r\n\r\n');
  const head = at === -1 ? whole : whole.slice(0, at);
  const body = whole.slice(at + 4);
  const isChunked = /^transfer-encoding: chunked$/im.test(head);
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]);
  return { status, head, text: isChunked ? joinChunks(body) : body };
}

/** The content of a chunked body that is all ASCII. */
function joinChunks(body: string): string {
  let text = '';
  let at = 0;
  for (;;) {
    const lineEnd = body.indexOf('\r\n', at);
    const size = Number.parseInt(body.slice(at, lineEnd), 16);
    if (lineEnd === -1 || !(size > 0)) return text;
    text += body.slice(lineEnd + 2, lineEnd + 2 + size);
    at = lineEnd + 4 + size;
  }
}

/** A GET whose target is written as given. */
export function rawGet(url: string, apiKey: string, target: string | Buffer): Promise<RawReply> {
  const head = Buffer.from('GET ');
  const rest = Buffer.from(
    ` HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${apiKey}\r\nConnection: close\r\n\r\n`,
  );
  return rawCall(url, Buffer.concat([head, Buffer.from(target), rest]));
}

/** The error code of an answer, after checking that the answer is of the one form that failures have. */
export function failureCode(reply: { text: string; status: number }): string {
  const body = JSON.parse(reply.text) as { success: unknown; error: Record<string, unknown> };
  expect(body).toMatchObject({
    success: false,
    error: {
      code: expect.stringMatching(/^[a-z_0-9]+$/),
      message: expect.any(String),
      requestId: expect.any(String),
    },
  });
  return body.error.code as string;
}
