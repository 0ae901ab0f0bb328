import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Packed } from '../../../../tools/release/packages.ts';

export interface Registry extends AsyncDisposable {
  readonly url: string;
}

/** An npm registry with packages of a folder. For all others it names another registry. */
export async function startRegistry(
  folder: string,
  packed: readonly { readonly pack: Packed; readonly manifest: object }[],
  elsewhere: string,
): Promise<Registry> {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '/').slice(1);
    const found = packed.find(({ pack }) => pack.name === path);
    if (found) return void response.setHeader('Content-Type', 'application/json').end(packument(found));
    const file = packed.find(({ pack }) => path === `files/${pack.filename}`);
    if (file) return void readFile(join(folder, file.pack.filename)).then((bytes) => response.end(bytes));
    response.writeHead(307, { Location: new URL((request.url ?? '/').slice(1), elsewhere).href }).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

  function packument({ pack, manifest }: (typeof packed)[number]): string {
    const { name, version, filename, integrity } = pack;
    const dist = { tarball: `${url}files/${filename}`, integrity };
    const versions = { [version]: { ...manifest, dist } };
    return JSON.stringify({ name, 'dist-tags': { latest: version }, versions });
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
