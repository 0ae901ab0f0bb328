import { request } from 'node:http';
import { connect } from 'node:net';
import type { Reply } from '../client.ts';

interface WireCall {
  readonly method?: string;
  readonly path?: string;
  /** Sent as they are, also those that fetch does not let a program set (Host, repeated ones). */
  readonly headers?: Record<string, string | string[]>;
  readonly body?: string;
}

/** A call with any headers, any path and any method. */
export function wireCall(url: string, call: WireCall = {}): Promise<Reply> {
  const { method = 'GET', path = '/', headers = {}, body } = call;
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const sent = request(
      { hostname, port, method, path, headers: { ...length, ...headers }, agent: false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const pairs = Object.entries(response.headersDistinct).flatMap(([name, values]) =>
            (values ?? []).map((value): [string, string] => [name, value]),
          );
          resolve({
            status: response.statusCode ?? 0,
            headers: new Headers(pairs),
            text,
            body: /^[[{]/.test(text) ? JSON.parse(text) : undefined,
          });
        });
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Sends bytes and gives back all that comes until the server closes. */
export function wireBytes(url: string, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
}
