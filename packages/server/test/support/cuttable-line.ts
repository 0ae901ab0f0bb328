import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A line to a server that can be cut, as networks do, and mended. */
export interface CuttableLine extends AsyncDisposable {
  readonly url: string;
  readonly isCut: boolean;
  cut(): void;
  mend(): void;
  /** From now on connections lead to another server. */
  lead(target: string): void;
}

export async function cuttableLine(first: string): Promise<CuttableLine> {
  let target = new URL(first);
  const ends = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) return near.destroy();
    const far = connect(Number(target.port), target.hostname);
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(end);
      end
        .on('error', () => {})
        .on('close', () => {
          ends.delete(end);
          other.destroy();
        });
      end.pipe(other);
    }
  });
  const cut = () => {
    isCut = true;
    for (const end of ends) end.destroy();
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    get isCut() {
      return isCut;
    },
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    mend() {
      isCut = false;
    },
    lead(next) {
      target = new URL(next);
    },
    async [Symbol.asyncDispose]() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
