import { LightSocket } from './light-socket.ts';

/** What is followed, and where. */
export interface Followed {
  readonly url: string;
  readonly apiKey: string;
  readonly collection: string;
  readonly filter?: string;
}

interface Hearing {
  readonly onEvent: (text: Buffer) => void;
  /** Something came that should not have: an end, an error, or a call to read again. */
  readonly onTrouble: (what: string) => void;
}

/** Connects and subscribes; resolves when the node has confirmed it. */
export function follow(
  { url, apiKey, collection, filter }: Followed,
  { onEvent, onTrouble }: Hearing,
): Promise<LightSocket> {
  return new Promise((resolve, reject) => {
    const subscribe = { type: 'subscribe', id: 'a', collection, ...(filter !== undefined && { filter }) };
    const fail = (what: string) => {
      reject(new Error(what));
      onTrouble(what);
    };
    const socket = new LightSocket(
      `${url}/realtime`,
      { 'X-API-Key': apiKey },
      {
        onText(text) {
          switch (typeOf(text)) {
            case 'event':
              return onEvent(text);
            case 'ready':
              return socket.send(subscribe);
            case 'subscribed':
              return resolve(socket);
            case 'position':
              return;
            default:
              return fail(text.toString());
          }
        },
        onEnd: fail,
      },
    );
  });
}

/** `{"type":"` comes first in every message: events are told from others without reading all of them. */
function typeOf(text: Buffer): string {
  return text.toString('latin1', 9, text.indexOf(0x22, 9));
}
