import { once } from 'node:events';
import { createServer } from 'node:http';
import { type Ceph, startCeph } from './ceph.ts';

/** Starts the S3 gateway when a test first asks for it: most runs need none. */
export async function offerS3(): Promise<{ url: string; stop(): Promise<void> }> {
  let ceph: Promise<Ceph> | undefined;
  const server = createServer((_request, response) => {
    ceph ??= startCeph();
    ceph.then(
      (access) => response.end(JSON.stringify(access)),
      (error: Error) => response.writeHead(500).end(error.message),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    async stop() {
      server.close();
      server.closeAllConnections();
      await (await ceph?.catch(() => undefined))?.stop();
    },
  };
}
