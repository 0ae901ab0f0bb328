import type { ClientMessage, ErrorSubject } from '@plinth/protocol';
import { Yielder } from '../../../platform/concurrency/yielder.ts';
import { readMessage } from './read-message.ts';

interface MessageHandler {
  act(message: ClientMessage): Promise<void>;
  complain(error: unknown, about: ErrorSubject): void;
  onTooMany(): void;
  /** Whose messages these are. */
  sender(): string;
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
    const yielder = new Yielder(this.#handler.sender());
    if (yielder.isRestDue) await yielder.rest();
    if (this.#isClosed) return;
    let about: ErrorSubject = {};
    try {
      const message = readMessage(text);
      about = subjectOf(message);
      await this.#handler.act(message);
    } catch (error) {
      this.#handler.complain(error, about);
    }
  }
}

/** What a failure of the message is about. */
function subjectOf(message: ClientMessage): ErrorSubject {
  if ('room' in message) return { room: message.room };
  return 'id' in message ? { id: message.id } : {};
}
