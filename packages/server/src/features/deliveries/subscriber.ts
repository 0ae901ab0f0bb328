import type { EventKind, EventName } from '../../calls/index.ts';

/** Somebody who is told what happens in a project, in a lane of its own. */
export interface Subscriber {
  readonly projectId: string;
  readonly lane: number;
  /** Whose handler tells it: `webhook`, `hook`. */
  readonly kind: string;
  /** What its kind calls it; no two of a kind have the same. */
  readonly name: string;
  /** What it wants to hear of: `orders.create`, `orders.*`, `*.delete`, `users.register`. */
  readonly events: readonly string[];
  /** Which documents, in the query language; null: all. */
  readonly filter: string | null;
  /** One at a time, in the order in which they happened; one that fails holds up the others. */
  readonly isOrdered: boolean;
  /** Null: it is served. */
  readonly disabledAt: Date | null;
  readonly disabledReason: string | null;
  /** It has more waiting than may wait. */
  readonly isFull: boolean;
}

const verbs: Readonly<Record<EventName, string>> = {
  post_create: 'create',
  post_update: 'update',
  post_delete: 'delete',
  post_register: 'register',
  post_login: 'login',
};

/** What subscribers call an event: `orders.create`, `users.login`. */
export function typeOf({ event, collection = 'users' }: EventKind): string {
  return `${collection}.${verbs[event]}`;
}

/** All that subscribers may call an event. Of every collection does not mean of the app users. */
export function patternsOf({ event, collection }: EventKind): string[] {
  const verb = verbs[event];
  if (collection === undefined) return [`users.${verb}`, 'users.*'];
  return [`${collection}.${verb}`, `${collection}.*`, `*.${verb}`, '*.*'];
}

const form =
  /^(?:(?:\*|[A-Za-z][A-Za-z0-9_-]{0,62})\.(?:create|update|delete|\*)|users\.(?:register|login))$/;

/** Is this a way to name events? */
export function isPattern(text: string): boolean {
  return form.test(text);
}
