import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Egress, NodeDoor, PoolServer, Sandbox } from '../features/code/sandbox/index.ts';
import type { PoolConfig } from '../platform/config/config.ts';
import { guarded, reporting } from '../platform/guarded.ts';
import type { Log } from '../platform/log.ts';
import { sandboxOptions } from './sandbox-options.ts';

/** Calls may take 300 seconds; whoever stops a pool waits no longer than for most of them. */
const drainMs = 25_000;

/** A process that runs the code of projects for nodes, and knows nothing of their data. */
export interface FunctionsPool {
  /** Begins to serve; resolves with the address for nodes, and that of its health. */
  start(): Promise<{ readonly address: string; readonly health: string | undefined }>;
  /** Finishes what was accepted, then releases everything. */
  stop(): Promise<void>;
}

export function createFunctionsPool(config: PoolConfig, log: Log): FunctionsPool {
  const egress = new Egress({ allowed: config.FUNCTIONS_EGRESS_ALLOW });
  const door = new NodeDoor();
  const runner = new Sandbox({ ...sandboxOptions(config), isDev: false }, { egress, service: door, log });
  const server = new PoolServer({ runner, door, secret: config.FUNCTIONS_POOL_SECRET, log });
  let isStopping = false;
  const health = createServer(
    guarded(
      reporting(log, 'the health of the pool could not be reported'),
      async (request: IncomingMessage, response: ServerResponse) => {
        if (request.url !== '/health') return void response.writeHead(404).end();
        const status = { ...(await runner.status()), calls: server.calls, isStopping };
        const isWell = status.wall !== undefined && !isStopping;
        response.writeHead(isWell ? 200 : 503, { 'content-type': 'application/json' });
        response.end(JSON.stringify(status));
      },
    ),
  );
  return {
    async start() {
      const status = await runner.status();
      if (status.wall === undefined) throw new Error(`Functions cannot run here. ${status.reason}`);
      const address = await server.listen(config.HOST, config.PORT);
      const port = config.FUNCTIONS_HEALTH_PORT;
      return { address, health: port === undefined ? undefined : await listen(health, config.HOST, port) };
    },
    async stop() {
      isStopping = true;
      await sleep(config.SHUTDOWN_DELAY_MS);
      await server.stop(drainMs);
      await runner.close();
      await egress.close();
      health.close();
      health.closeAllConnections();
    },
  };
}

async function listen(server: Server, host: string, port: number): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
  const { address, port: at, family } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${at}/health`;
}
