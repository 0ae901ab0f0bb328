import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { key: string; value: Record<string, string> }[];
  readonly status?: { readonly code: number };
}

interface TraceRequest {
  readonly resourceSpans: readonly { scopeSpans: readonly { spans: readonly ReceivedSpan[] }[] }[];
}

/** Takes traces as an OpenTelemetry collector does, over HTTP with JSON. */
export async function startOtlpReceiver() {
  const spans: ReceivedSpan[] = [];
  const headers: Record<string, string | string[] | undefined>[] = [];
  const receiver = { spans, headers, url: '', isFailing: false };
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    headers.push(request.headers);
    if (request.method !== 'POST' || request.url !== '/v1/traces' || receiver.isFailing)
      return void response.writeHead(503).end();
    const { resourceSpans } = (await json(request)) as TraceRequest;
    spans.push(...resourceSpans.flatMap((one) => one.scopeSpans.flatMap((scope) => scope.spans)));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  };
  const server = createServer((request, response) => void take(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return Object.assign(receiver, {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  });
}
