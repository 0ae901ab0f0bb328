import { Agent, request } from 'node:http';

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** One call over a kept connection; fails on any status that is not 2xx. */
export function call(url: string, apiKey: string, method = 'GET', body?: unknown): Promise<string> {
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
        },
      },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => {
          const content = Buffer.concat(chunks).toString();
          if (answer.statusCode! < 300) resolve(content);
          else reject(new Error(`${method} ${url}: ${answer.statusCode} ${content}`));
        });
      },
    );
    sent.on('error', reject);
    sent.end(text);
  });
}
