import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface AppPage extends AsyncDisposable {
  readonly origin: string;
}

/** An empty page of an app, on an origin of its own. Browsers take localhost for as safe as https. */
export async function serveAppPage(): Promise<AppPage> {
  const server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>An app</title>');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
