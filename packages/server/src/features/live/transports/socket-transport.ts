import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import type { SentTogether } from './sent-together.ts';
import { farewellMs, mostWaitingBytes, type Transport } from './transport.ts';

const calmBytes = 262_144;

interface Wire {
  /** What the socket writes to. */
  readonly wire: Writable;
  readonly sent: SentTogether;
}

/** A connection over a WebSocket. */
export function socketTransport(socket: WebSocket, { wire, sent }: Wire, onTooSlow: () => void): Transport {
  return {
    kind: 'websocket',
    send(text) {
      if (socket.readyState !== socket.OPEN) return;
      sent.hold(wire, text);
      socket.send(text);
      if (socket.bufferedAmount > mostWaitingBytes) onTooSlow();
    },
    async drained(withinMs = Number.POSITIVE_INFINITY) {
      const until = performance.now() + withinMs;
      while (socket.bufferedAmount > calmBytes && socket.readyState === socket.OPEN) {
        if (performance.now() > until) return false;
        await sleep(10);
      }
      return true;
    },
    giveUp: onTooSlow,
    close(code, reason) {
      socket.close(code, reason);
      // A client that does not read does not notice the end either.
      setTimeout(() => socket.terminate(), farewellMs).unref();
    },
  };
}
