import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { guarded, reporting } from '../guarded.ts';
import type { Log } from '../log.ts';
import { contentTypes, formFor, render } from '../metrics/render.ts';
import type { AdminSource } from './admin-source.ts';

/** What operators and their tools ask, on a port of its own: it names engines, which is nobody else's business. */
export class AdminServer {
  readonly #source: AdminSource;
  readonly #log: Log;
  readonly #server = createServer({ headersTimeout: 10_000, requestTimeout: 10_000 });

  constructor(source: AdminSource, log: Log) {
    this.#source = source;
    this.#log = log;
    const failed = reporting(log, 'a request of an operator failed');
    this.#server.on(
      'request',
      guarded(failed, (request, response) => this.#answer(request, response)),
    );
  }

  /** Returns the address. */
  async listen(host: string, port: number): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ host, port, exclusive: true }, () => resolve());
    });
    const { address, port: at, family } = this.#server.address() as AddressInfo;
    const url = `http://${family === 'IPv6' ? `[${address}]` : address}:${at}`;
    this.#log.info(`for operators: /metrics and /readyz at ${url}`);
    return url;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #answer({ method, url, headers }: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('Cache-Control', 'no-store');
    const [path] = (url ?? '').split('?', 1);
    if (method !== 'GET' || (path !== '/metrics' && path !== '/readyz'))
      return void response.writeHead(404).end('There is GET /metrics and GET /readyz.\n');
    try {
      if (path === '/readyz') await this.#tellReadiness(response);
      else await this.#tellMetrics(response, headers.accept);
    } catch (error) {
      this.#log.warn({ err: error }, 'a request of an operator failed');
      response.writeHead(503).end('No process of this node responds at the moment. The log has the cause.\n');
    }
  }

  async #tellMetrics(response: ServerResponse, accept: string | undefined): Promise<void> {
    const form = formFor(accept);
    const text = render(await this.#source.families(), form);
    response.writeHead(200, { 'content-type': contentTypes[form] }).end(text);
  }

  async #tellReadiness(response: ServerResponse): Promise<void> {
    const { why, engines, clockAheadMs } = await this.#source.readiness();
    const status = why === undefined ? 'ready' : 'not ready';
    response.writeHead(why === undefined ? 200 : 503, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ status, why, engines, clockAheadMs }));
  }
}
