import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const textFrame = 0x1;
const closeFrame = 0x8;
const pingFrame = 0x9;
const pongFrame = 0xa;
const endOfHead = '\r\n\r\n';

/**
 * A WebSocket that does no more than it must: thousands of them in a process are to take less of the machine than the
 * node that is measured. It trusts the server to send whole messages.
 */
export class LightSocket {
  readonly #socket: Socket;
  readonly #onText: (text: Buffer) => void;
  #rest: Buffer | undefined;
  #isUpgraded = false;
  #isLeft = false;

  constructor(
    url: string,
    headers: Readonly<Record<string, string>>,
    { onText, onEnd }: { onText: (text: Buffer) => void; onEnd: (reason: string) => void },
  ) {
    const { hostname, port, pathname } = new URL(url);
    this.#onText = onText;
    this.#socket = connect({ host: hostname, port: Number(port), noDelay: true });
    let failure = 'the node ended it';
    this.#socket.on('error', ({ message }) => {
      failure = message;
    });
    this.#socket.on('close', () => {
      if (!this.#isLeft) onEnd(failure);
    });
    this.#socket.on('data', (chunk: Buffer) => this.#take(chunk));
    this.#socket.write(requestOf(pathname, { Host: `${hostname}:${port}`, ...headers }));
  }

  send(message: Readonly<Record<string, unknown>>): void {
    this.#socket.write(frameOf(textFrame, Buffer.from(JSON.stringify(message))));
  }

  async leave(): Promise<void> {
    this.#isLeft = true;
    if (this.#socket.closed) return;
    this.#socket.destroy();
    await once(this.#socket, 'close');
  }

  #take(chunk: Buffer): void {
    let data = this.#rest ? Buffer.concat([this.#rest, chunk]) : chunk;
    this.#rest = undefined;
    if (!this.#isUpgraded) {
      const end = data.indexOf(endOfHead);
      const line = data.toString('latin1', 0, 80).split('\r\n', 1)[0]!;
      if (end !== -1 && !line.includes(' 101 ')) this.#socket.destroy(new Error(line));
      this.#isUpgraded = end !== -1;
      data = data.subarray(this.#isUpgraded ? end + endOfHead.length : 0);
    }
    const read = this.#isUpgraded ? this.#readFrames(data) : 0;
    if (read < data.length) this.#rest = data.subarray(read);
  }

  /** How many bytes were whole frames. */
  #readFrames(data: Buffer): number {
    let at = 0;
    for (;;) {
      const frame = frameAt(data, at);
      if (!frame) return at;
      at = frame.end;
      const content = data.subarray(frame.start, frame.end);
      if (frame.kind === textFrame) this.#onText(content);
      else if (frame.kind === pingFrame) this.#socket.write(frameOf(pongFrame, content));
      else if (frame.kind === closeFrame) this.#socket.destroy(new Error(`closed: ${reasonIn(content)}`));
    }
  }
}

function requestOf(path: string, headers: Readonly<Record<string, string>>): string {
  const all = {
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return [`GET ${path} HTTP/1.1`, ...lines].join('\r\n') + endOfHead;
}

/** Where the content of a frame lies; undefined if it has not come as a whole. */
function frameAt(data: Buffer, at: number): { kind: number; start: number; end: number } | undefined {
  const left = data.length - at;
  if (left < 2) return undefined;
  const short = data[at + 1]!;
  const head = short < 126 ? 2 : short === 126 ? 4 : 10;
  if (left < head) return undefined;
  const length = short < 126 ? short : short === 126 ? data.readUInt16BE(at + 2) : data.readUIntBE(at + 4, 6);
  if (left < head + length) return undefined;
  return { kind: data[at]! & 0x0f, start: at + head, end: at + head + length };
}

/** Clients have to mask what they send: with zeros, it stays what it is. */
function frameOf(kind: number, content: Buffer): Buffer {
  const length = content.length;
  const head = length < 126 ? [0x80 | length] : [0x80 | 126, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([0x80 | kind, ...head, 0, 0, 0, 0]), content]);
}

function reasonIn(content: Buffer): string {
  return content.length < 2 ? 'no reason' : `${content.readUInt16BE(0)} ${content.toString('utf8', 2)}`;
}
