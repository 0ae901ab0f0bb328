import type { ProjectTypes } from '@plinth/client';
import type { Context } from './context.ts';
import type {
  BeforeCreateEvent,
  BeforeDeleteEvent,
  BeforeLoginEvent,
  BeforeRegisterEvent,
  BeforeUpdateEvent,
  DeleteEvent,
  DocumentEvent,
  LoginEvent,
  RegisterEvent,
  RunEvent,
  UpdateEvent,
} from './events.ts';
import type { KnownProject } from './register.ts';

type Handler<Event, P extends ProjectTypes> = (event: Event, ctx: Context<P>) => unknown;

/** Options of hooks that run after something. */
export interface AfterOptions {
  /** Deliver one event at a time, in the order of the writes; an event that fails holds up those after it. */
  readonly ordered?: boolean;
  /** The timeout of a run; 60 seconds by default. */
  readonly timeoutSeconds?: number;
}

/** Options of hooks that run before something. */
export interface BeforeOptions {
  /** The timeout of a run. All hooks that run before one request share 5 seconds. */
  readonly timeoutSeconds?: number;
  /** If the hook fails, proceed anyway. By default, the request is rejected. */
  readonly failOpen?: boolean;
}

export interface ScheduleOptions {
  /** An IANA time zone such as `Europe/Berlin`; UTC by default. */
  readonly timeZone?: string;
  /** What happens to missed runs: one late run (`once`), none (`skip`), or all of them (`all`). */
  readonly missed?: 'once' | 'skip' | 'all';
  /** What happens if the previous run has not finished. */
  readonly overlap?: 'skip' | 'queue' | 'allow';
  readonly timeoutSeconds?: number;
}

/** What the default export of a module declares. */
export interface Trigger {
  readonly kind: 'hook' | 'schedule' | 'task';
  readonly event?: string;
  readonly collection?: string;
  readonly cron?: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly run: (event: never, ctx: never) => unknown;
}

/** Marks what the functions below return, even if two copies of this module were bundled. */
export const triggerMark = Symbol.for('plinth.trigger');

function trigger(parts: Trigger): Trigger {
  return Object.freeze(Object.assign(parts, { [triggerMark]: true }));
}

type Run = Trigger['run'];

const onCollection =
  (event: string) =>
  (collection: string, run: Run, options: AfterOptions | BeforeOptions = {}): Trigger =>
    trigger({ kind: 'hook', event, collection, options: { ...options }, run });

const onUsers =
  (event: string) =>
  (run: Run, options: AfterOptions | BeforeOptions = {}): Trigger =>
    trigger({ kind: 'hook', event, options: { ...options }, run });

type After<Event> = <P extends ProjectTypes = KnownProject>(
  collection: string,
  run: Handler<Event, P>,
  options?: AfterOptions,
) => Trigger;

/** Runs after a document was created: at least once, and is retried if it fails. */
export const onCreate: After<DocumentEvent> = onCollection('post_create');
/** Runs after a document was changed: at least once, and is retried if it fails. */
export const onUpdate: After<UpdateEvent> = onCollection('post_update');
/** Runs after a document was deleted: at least once, and is retried if it fails. */
export const onDelete: After<DeleteEvent> = onCollection('post_delete');

type OnUser<Event> = <P extends ProjectTypes = KnownProject>(
  run: Handler<Event, P>,
  options?: AfterOptions,
) => Trigger;

/** Runs after a user has signed up: at least once, and is retried if it fails. */
export const onRegister: OnUser<RegisterEvent> = onUsers('post_register');
/** Runs after a user has signed in: at least once, and is retried if it fails. */
export const onLogin: OnUser<LoginEvent> = onUsers('post_login');

/** Fields to change, as in a PATCH; return nothing to leave everything unchanged. */
type Changes = Readonly<Record<string, unknown>> | null | undefined | void;

type Before<Event, Returned> = <P extends ProjectTypes = KnownProject>(
  collection: string,
  run: (event: Event, ctx: Context<P>) => Returned | Promise<Returned>,
  options?: BeforeOptions,
) => Trigger;

/** Runs before a document is created, and can change or `refuse` it. */
export const beforeCreate: Before<BeforeCreateEvent, Changes> = onCollection('pre_create');
/** Runs before a document is changed, and can modify or `refuse` the change. */
export const beforeUpdate: Before<BeforeUpdateEvent, Changes> = onCollection('pre_update');
/** Runs before a document is deleted, and can `refuse` it. */
export const beforeDelete: Before<BeforeDeleteEvent, void> = onCollection('pre_delete');

type BeforeUser<Event, Returned> = <P extends ProjectTypes = KnownProject>(
  run: (event: Event, ctx: Context<P>) => Returned | Promise<Returned>,
  options?: BeforeOptions,
) => Trigger;

/** Fields to set on a new user; those that are not returned stay unchanged. */
interface UserChanges {
  readonly role?: unknown;
  readonly data?: unknown;
  readonly claims?: unknown;
}

/** Runs before a user is created, in any way; can set `role`, `data` and `claims`, or `refuse`. */
export const beforeRegister: BeforeUser<BeforeRegisterEvent, UserChanges | null | undefined | void> =
  onUsers('pre_register');
/** Runs before a session starts, in any way, and can `refuse` it. */
export const beforeLogin: BeforeUser<BeforeLoginEvent, void> = onUsers('pre_login');

/** Rejects what a hook runs before: it is not done, and the caller gets the message. */
export function refuse(message: string): never {
  throw Object.assign(new Error(message), { name: 'Refusal' });
}

/** Runs on a schedule: `schedule('0 9 * * 1-5', { timeZone: 'Europe/Berlin' }, run)`. */
export function schedule<P extends ProjectTypes = KnownProject>(
  cron: string,
  options: ScheduleOptions,
  run: Handler<RunEvent, P>,
): Trigger {
  return trigger({ kind: 'schedule', cron, options: { ...options }, run });
}

/** Runs when it is queued with `ctx.tasks.add`: at least once, and is retried if it fails. */
export function task<Payload = unknown, P extends ProjectTypes = KnownProject>(
  run: Handler<RunEvent & { readonly payload: Payload }, P>,
  options: AfterOptions = {},
): Trigger {
  return trigger({ kind: 'task', options: { ...options }, run });
}
