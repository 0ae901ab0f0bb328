import type { Outlet } from '../feed/index.ts';

/** The way to the other side of a connection. */
export interface Transport extends Outlet {
  readonly kind: 'websocket' | 'sse';
  close(code: number, reason: string): void;
}

/** Data waiting for a slow client; beyond it the connection is closed. @limit - bytes */
export const mostWaitingBytes = 4 * 1_048_576;

/** How long the other side has to notice the end. */
export const farewellMs = 1000;
