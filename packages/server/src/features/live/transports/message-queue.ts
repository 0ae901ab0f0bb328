import type { ClientMessage } from '@plinth/protocol';
import { readMessage } from './read-message.ts';

interface MessageHandler {
  act(message: ClientMessage): Promise<void>;
  complain(error: unknown, id?: string): void;
  onTooMany(): void;
}

const mostWaiting = 1000;

/** Handles the messages of one connection, in order. */
export class MessageQueue {
  readonly #handler: MessageHandler;
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;
  #isClosed = false;

  constructor(handler: MessageHandler) {
    this.#handler = handler;
  }

  add(text: string): void {
    this.#waiting += 1;
    if (this.#waiting > mostWaiting) return this.#handler.onTooMany();
    this.#last = this.#last.then(() => this.#handle(text)).finally(() => (this.#waiting -= 1));
  }

  /** Drops what still waits. */
  close(): void {
    this.#isClosed = true;
  }

  async #handle(text: string): Promise<void> {
    if (this.#isClosed) return;
    let id: string | undefined;
    try {
      const message = readMessage(text);
      if ('id' in message) ({ id } = message);
      await this.#handler.act(message);
    } catch (error) {
      this.#handler.complain(error, id);
    }
  }
}
