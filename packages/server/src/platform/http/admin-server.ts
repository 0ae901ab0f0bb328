import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { guarded, reporting } from '../guarded.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Health } from './health.ts';

interface AdminSources {
  readonly health: Health;
  readonly metrics: Metrics;
  readonly log: Log;
}

/** What operators and their tools ask, on a port of its own: it names engines, which is nobody else's business. */
export class AdminServer {
  readonly #sources: AdminSources;
  readonly #server = createServer({ headersTimeout: 10_000, requestTimeout: 10_000 });

  constructor(sources: AdminSources) {
    this.#sources = sources;
    const failed = reporting(sources.log, 'an operator was not answered');
    this.#server.on(
      'request',
      guarded(failed, (request, response) => this.#answer(request, response)),
    );
  }

  /** Returns the address. Each process has its own port, also where several share that of the service. */
  async listen(host: string, port: number): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ host, port, exclusive: true }, () => resolve());
    });
    const { address, port: at, family } = this.#server.address() as AddressInfo;
    const url = `http://${family === 'IPv6' ? `[${address}]` : address}:${at}`;
    this.#sources.log.info(`for operators: /metrics and /readyz at ${url}`);
    return url;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #answer({ method, url }: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('Cache-Control', 'no-store');
    const [path] = (url ?? '').split('?', 1);
    if (method !== 'GET' || (path !== '/metrics' && path !== '/readyz'))
      return void response.writeHead(404).end('There is GET /metrics and GET /readyz.\n');
    if (path === '/readyz') return this.#tellReadiness(response);
    const text = await this.#sources.metrics.text();
    response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text);
  }

  async #tellReadiness(response: ServerResponse): Promise<void> {
    const { why, engines, clocks } = await this.#sources.health.look();
    const ahead = Object.fromEntries(Array.from(clocks, ([name, ms]) => [name, Math.round(ms)]));
    const status = why === undefined ? 'ready' : 'not ready';
    response.writeHead(why === undefined ? 200 : 503, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ status, why, engines, clockAheadMs: ahead }));
  }
}
