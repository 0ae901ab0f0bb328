import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface AppPage extends AsyncDisposable {
  readonly origin: string;
}

/** A page of an app with its scripts, on an origin of its own. Browsers take localhost for as safe as https. */
export async function servePage(
  body = '',
  scripts: ReadonlyMap<string, string> = new Map(),
): Promise<AppPage> {
  const server = createServer(({ url = '/' }, response) => {
    const script = scripts.get(url.slice(1));
    if (script !== undefined) response.setHeader('Content-Type', 'text/javascript').end(script);
    else response.setHeader('Content-Type', 'text/html').end(`<!doctype html><title>An app</title>${body}`);
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
