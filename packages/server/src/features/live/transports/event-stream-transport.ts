import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { farewellMs, mostWaitingBytes, type Transport } from './transport.ts';

/** A connection over Server-Sent Events: the cursor of each message is its id, which browsers send back. */
export function eventStreamTransport(response: ServerResponse, isSnapshotWanted: boolean): Transport {
  /** A browser that returns with a cursor is sent no snapshot: it may get one only once the snapshot is complete. */
  const mayGoOnFrom = (type: string | undefined, text: string) =>
    !isSnapshotWanted || (type !== 'subscribed' && !/"more":true,"cursor":"[^"]+"\}$/.test(text));
  return {
    kind: 'sse',
    send(text) {
      const type = /^\{"type":"(\w+)"/.exec(text)?.[1];
      const cursor = /"cursor":"([^"]+)"\}$/.exec(text)?.[1];
      const id = cursor !== undefined && mayGoOnFrom(type, text) ? `id: ${cursor}\n` : '';
      response.write(`${id}event: ${type}\ndata: ${text}\n\n`);
      if (response.writableLength > mostWaitingBytes) response.destroy();
    },
    async drained(withinMs) {
      if (!response.writableNeedDrain || response.destroyed) return true;
      const signal = withinMs === undefined ? {} : { signal: AbortSignal.timeout(withinMs) };
      return once(response, 'drain', signal).then(
        () => true,
        () => response.destroyed,
      );
    },
    giveUp: () => void response.destroy(),
    close(_code, reason) {
      response.end(`event: closed\ndata: ${JSON.stringify({ type: 'closed', reason })}\n\n`);
      setTimeout(() => response.destroy(), farewellMs).unref();
    },
  };
}
