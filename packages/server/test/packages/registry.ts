import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

interface Registry extends AsyncDisposable {
  readonly url: string;
}

interface Manifest {
  readonly name: string;
  readonly version: string;
}

/** An npm registry with the packages of a folder. All others it gets from another registry. */
export async function startRegistry(folder: string, elsewhere: string): Promise<Registry> {
  const own = new Map(
    readdirSync(folder)
      .filter((name) => name.endsWith('.tgz') && !name.startsWith('plinth-chart-'))
      .map((file) => {
        const bytes = readFileSync(join(folder, file));
        const manifest = execFileSync('tar', ['-xzO', 'package/package.json', '-f', join(folder, file)]);
        return { file, bytes, manifest: JSON.parse(manifest.toString()) as Manifest };
      })
      .map((one) => [one.manifest.name, one]),
  );
  const files = new Map(Array.from(own.values(), ({ file, bytes }) => [`files/${file}`, bytes]));

  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '/').slice(1);
    const found = own.get(path);
    const file = files.get(path);
    if (found) response.setHeader('Content-Type', 'application/json').end(describe(found));
    else if (file) response.end(file);
    else
      pass(new URL((request.url ?? '/').slice(1), elsewhere), request.headers.accept, response).catch(() =>
        response.destroy(),
      );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

  function describe({ file, bytes, manifest }: { file: string; bytes: Buffer; manifest: Manifest }): string {
    const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
    const dist = { tarball: `${url}files/${file}`, integrity };
    const { name, version } = manifest;
    return JSON.stringify({
      name,
      'dist-tags': { latest: version },
      versions: { [version]: { ...manifest, dist } },
    });
  }

  return {
    url,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function pass(url: URL, accept: string | undefined, response: ServerResponse): Promise<void> {
  const answer = await fetch(url, { headers: { accept: accept ?? '*/*' } });
  response.writeHead(answer.status, {
    'Content-Type': answer.headers.get('content-type') ?? 'application/octet-stream',
  });
  if (answer.body) await pipeline(Readable.fromWeb(answer.body), response);
  else response.end();
}
