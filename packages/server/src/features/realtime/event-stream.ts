import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Transport } from './connection.ts';
import { farewellMs, mostWaitingBytes } from './socket-transport.ts';

/** Server-Sent Events as the way to the other side: the place of each message is its id, which browsers send back. */
export function eventStreamTransport(response: ServerResponse, isSnapshotWanted: boolean): Transport {
  /** A browser that comes back with a place has the snapshot: it may have one only when that was whole. */
  const isPlace = (type: string | undefined, text: string) =>
    !isSnapshotWanted || (type !== 'subscribed' && !/"more":true,"cursor":"[^"]+"\}$/.test(text));
  return {
    send(text) {
      const type = /^\{"type":"(\w+)"/.exec(text)?.[1];
      const cursor = /"cursor":"([^"]+)"\}$/.exec(text)?.[1];
      const place = cursor !== undefined && isPlace(type, text) ? `id: ${cursor}\n` : '';
      response.write(`${place}event: ${type}\ndata: ${text}\n\n`);
      if (response.writableLength > mostWaitingBytes) response.destroy();
    },
    async drained() {
      if (response.writableNeedDrain && !response.destroyed) await once(response, 'drain').catch(() => {});
    },
    close(_code, reason) {
      response.end(`event: closed\ndata: ${JSON.stringify({ type: 'closed', reason })}\n\n`);
      setTimeout(() => response.destroy(), farewellMs).unref();
    },
  };
}
