import { setTimeout as sleep } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import type { Transport } from './connection.ts';

/** So much may wait for a reader; then it is too slow. */
export const mostWaitingBytes = 4 * 1_048_576;
const calmBytes = 262_144;
/** How long the other side has to take note of the end. */
export const farewellMs = 1000;

/** A WebSocket as the way to the other side. */
export function socketTransport(socket: WebSocket, onTooSlow: () => void): Transport {
  return {
    send(text) {
      if (socket.readyState !== socket.OPEN) return;
      socket.send(text);
      if (socket.bufferedAmount > mostWaitingBytes) onTooSlow();
    },
    async drained() {
      while (socket.bufferedAmount > calmBytes && socket.readyState === socket.OPEN) await sleep(10);
    },
    close(code, reason) {
      socket.close(code, reason);
      // One that does not read does not hear of it either.
      setTimeout(() => socket.terminate(), farewellMs).unref();
    },
  };
}
