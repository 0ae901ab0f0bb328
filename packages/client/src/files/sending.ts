import type { CallOptions } from '../http.ts';

/** What an upload and its pieces have in common. */
export interface Sending extends CallOptions {
  readonly name: string;
  readonly path?: string | undefined;
  readonly isPrivate?: boolean | undefined;
  readonly onSent: (sent: number) => void;
  readonly gate: Gate;
}

/** Held shut while an upload is paused. */
export interface Gate {
  isOpen: boolean;
  /** Ends what is being sent. */
  stop?: (() => void) | undefined;
  /** Called when it opens again. */
  open?: (() => void) | undefined;
}
