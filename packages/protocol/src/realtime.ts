/** What a client sends over `/realtime`. */
export type ClientMessage =
  | { readonly type: 'auth'; readonly token: string }
  | {
      readonly type: 'subscribe';
      readonly id: string;
      /** Name or id. */
      readonly collection: string;
      /** As in the query string of a list. */
      readonly filter?: string;
      /** Go on after this place. */
      readonly since?: string;
      /** Send what is there first. */
      readonly snapshot?: boolean;
    }
  | { readonly type: 'unsubscribe'; readonly id: string }
  | { readonly type: 'join'; readonly room: string }
  | { readonly type: 'leave'; readonly room: string }
  | { readonly type: 'broadcast'; readonly room: string; readonly message: unknown }
  | { readonly type: 'presence'; readonly room: string; readonly state: unknown }
  | { readonly type: 'ping' };

/** Someone in a room, as the server knows them. */
export interface RoomMember {
  /** Of the connection: one user may have several. */
  readonly connection: string;
  /** Null for a server, and for people who are not signed in. */
  readonly user: string | null;
  readonly state?: unknown;
}

/** What an error is about: a subscription, or a room. */
export interface ErrorSubject {
  readonly id?: string;
  readonly room?: string;
}

/** What the server sends. */
export type ServerMessage =
  | { readonly type: 'ready'; readonly connection: string; readonly user: string | null }
  | {
      readonly type: 'subscribed';
      readonly id: string;
      /** Of the collection: ids that a client makes itself carry it. */
      readonly number: number;
      readonly cursor: string;
    }
  | {
      readonly type: 'snapshot';
      readonly id: string;
      readonly documents: readonly unknown[];
      readonly cursor: string;
      /** More documents follow in the next message. */
      readonly more?: true;
    }
  | {
      readonly type: 'event';
      readonly id: string;
      readonly collection: string;
      readonly event: 'created' | 'updated' | 'deleted';
      readonly document: Readonly<Record<string, unknown>> & { readonly id: string };
      readonly cursor: string;
    }
  /** Nothing was missed until here. */
  | { readonly type: 'position'; readonly id: string; readonly cursor: string }
  /** Something may have been missed, or more or less may be seen now: read again. */
  | { readonly type: 'resync'; readonly id: string; readonly cursor: string }
  | { readonly type: 'joined'; readonly room: string; readonly members: readonly RoomMember[] }
  | { readonly type: 'message'; readonly room: string; readonly from: RoomMember; readonly message: unknown }
  | { readonly type: 'presence'; readonly room: string; readonly members: readonly RoomMember[] }
  | ({ readonly type: 'error'; readonly code: string; readonly message: string } & ErrorSubject)
  | { readonly type: 'pong' };

/** Why a connection was closed, beyond the codes of WebSocket itself. */
export const closeCodes = {
  /** The node shuts down: connect again, to another. */
  goingAway: 1012,
  /** No credential, or one that has ended. */
  notSignedIn: 4401,
  /** From a page that may not use the project. */
  foreignOrigin: 4403,
  /** Messages were not taken in time. */
  tooSlow: 4408,
  /** Too many connections. */
  tooMany: 4429,
} as const;

/** A room with somebody in it, as those see it who look after the project. */
export interface RoomReport {
  readonly room: string;
  /** How many connections are in it. */
  readonly members: number;
}

/** A connection, as those see it who look after the project. */
export interface ConnectionReport {
  readonly id: string;
  readonly user: string | null;
  readonly credential: 'none' | 'user' | 'apiKey' | 'account';
  readonly transport: 'websocket' | 'sse';
  readonly connectedAt: string;
  readonly subscriptionCount: number;
  readonly subscriptions: readonly { readonly collection: string; readonly filter: string }[];
  readonly roomCount: number;
  readonly rooms: readonly string[];
}
