import { Agent, request } from 'node:http';

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

interface Sent {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** One call over a kept connection, whatever its answer. */
export function exchange(
  url: string,
  apiKey: string,
  { method = 'GET', body, headers = {} }: Sent = {},
): Promise<{ status: number; text: string }> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        agent,
        method,
        headers: {
          'x-api-key': apiKey,
          ...(text !== undefined && {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(text),
          }),
          ...headers,
        },
      },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () =>
          resolve({ status: answer.statusCode!, text: Buffer.concat(chunks).toString() }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(text);
  });
}

/** One call over a kept connection; fails on any status that is not 2xx. */
export async function call(url: string, apiKey: string, method = 'GET', body?: unknown): Promise<string> {
  const { status, text } = await exchange(url, apiKey, { method, body });
  if (status >= 300) throw new Error(`${method} ${url}: ${status} ${text}`);
  return text;
}
