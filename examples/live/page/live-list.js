import { Backoff } from './backoff.js';

/** A connection may be dead without anybody saying so: it is asked this often, and has so long to answer. */
const askEveryMs = 15_000;
const answerWithinMs = 5000;
const readyWithinMs = 15_000;
/** Not worth another try: no credential, or a page that may not call the project. */
const finalCloseCodes = [4401, 4403];
/** These pass. Every other refusal comes again however often one asks. */
const passingErrors = ['engine_unavailable', 'internal_error', 'rate_limited', 'too_many_queries'];

/**
 * The documents of a collection, kept as they are on the server. Tells `onChange(documents, change)` after every change,
 * and `onState(state, reason)`: `connecting`, `live`, `away` (tries again by itself) or `refused` (does not).
 */
export class LiveList {
  #options;
  #documents = new Map();
  /** Up to here nothing was missed. Undefined: everything has to be read. */
  #cursor;
  #socket;
  /** Each subscription has another id, so that late messages of a former one are known as such. */
  #subscription = 0;
  #arriving = [];
  #backoff = new Backoff();
  #retry;
  #asking;
  #deadline;

  constructor(options) {
    this.#options = options;
  }

  connect() {
    clearTimeout(this.#retry);
    this.#options.onState('connecting');
    const socket = new WebSocket(this.#options.url);
    this.#socket = socket;
    this.#deadline = setTimeout(() => this.#giveUp(), readyWithinMs);
    const isCurrent = () => socket === this.#socket;
    socket.addEventListener('message', ({ data }) => isCurrent() && this.#take(JSON.parse(data)));
    socket.addEventListener('close', ({ code, reason }) => isCurrent() && this.#lost(code, reason));
  }

  /** Something hints that the network is back: do not wait any longer. */
  retryNow() {
    if (this.#socket === undefined) this.connect();
    else this.check();
  }

  /** Asks whether the other side is there; if no answer comes, the connection is given up. */
  check() {
    if (this.#socket?.readyState !== WebSocket.OPEN || this.#deadline !== undefined) return;
    this.#send({ type: 'ping' });
    this.#deadline = setTimeout(() => this.#giveUp(), answerWithinMs);
  }

  #take(message) {
    clearTimeout(this.#deadline);
    this.#deadline = undefined;
    if (message.type === 'ready') return this.#begin();
    if (message.type === 'error') return this.#complain(message);
    if (message.id !== this.#subscriptionId) return;
    switch (message.type) {
      case 'subscribed':
        // Otherwise it is live once the snapshot is there.
        if (this.#cursor !== undefined) this.#isLive();
        break;
      case 'snapshot':
        this.#takeSnapshot(message);
        break;
      case 'event':
        this.#takeEvent(message);
        break;
      case 'position':
        this.#cursor = message.cursor;
        break;
      case 'resync':
        this.#readAgain();
        break;
    }
  }

  #begin() {
    this.#asking = setInterval(() => this.check(), askEveryMs);
    this.#subscribe();
  }

  get #subscriptionId() {
    return `list-${this.#subscription}`;
  }

  #subscribe() {
    this.#subscription += 1;
    this.#arriving = [];
    this.#send({
      type: 'subscribe',
      id: this.#subscriptionId,
      collection: this.#options.collection,
      ...(this.#cursor === undefined ? { snapshot: true } : { since: this.#cursor }),
    });
  }

  /** What is shown may be wrong from here on. */
  #readAgain() {
    this.#options.onState('connecting');
    this.#cursor = undefined;
    this.#send({ type: 'unsubscribe', id: this.#subscriptionId });
    this.#subscribe();
  }

  #takeSnapshot({ documents, more, cursor }) {
    this.#arriving.push(...documents);
    // A cursor is good only with the whole snapshot.
    if (more) return;
    this.#documents = new Map(this.#arriving.map((document) => [document.id, document]));
    this.#arriving = [];
    this.#cursor = cursor;
    this.#isLive();
    this.#tell();
  }

  /** The same event may come twice: done twice it comes to the same. */
  #takeEvent({ event, document, cursor }) {
    const before = this.#documents.get(document.id);
    if (event === 'deleted') this.#documents.delete(document.id);
    else this.#documents.set(document.id, document);
    this.#cursor = cursor;
    this.#tell({ before, after: this.#documents.get(document.id) });
  }

  #tell(change) {
    this.#options.onChange([...this.#documents.values()], change);
  }

  #isLive() {
    this.#backoff.reset();
    this.#options.onState('live');
  }

  #complain({ code, message }) {
    if (passingErrors.includes(code)) return this.#giveUp();
    // Who is let in again later may see more than before, or less.
    this.#cursor = undefined;
    this.#disconnect();
    this.#options.onState('refused', message);
  }

  #lost(code, reason) {
    this.#disconnect();
    if (finalCloseCodes.includes(code)) return this.#options.onState('refused', reason);
    this.#options.onState('away');
    this.#retry = setTimeout(() => this.connect(), this.#backoff.nextMs());
  }

  /** Does not wait for the other side to agree: it may be gone. */
  #giveUp() {
    this.#lost(0, '');
  }

  #disconnect() {
    clearInterval(this.#asking);
    clearTimeout(this.#deadline);
    this.#deadline = undefined;
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
  }

  #send(message) {
    this.#socket.send(JSON.stringify(message));
  }
}
