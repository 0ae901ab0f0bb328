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

/** How events that follow a write are delivered. */
export interface AfterOptions {
  /** One at a time, in the order of the writes; one that fails holds up those behind it. */
  readonly ordered?: boolean;
  /** How long a run may take: 60 seconds unless said otherwise. */
  readonly timeoutSeconds?: number;
}

/** How a hook that runs before something is asked. */
export interface BeforeOptions {
  /** How long a run may take. All hooks before one call have 5 seconds together. */
  readonly timeoutSeconds?: number;
  /** If the hook fails, what it was asked about is done all the same. It is refused unless this is true. */
  readonly failOpen?: boolean;
}

export interface ScheduleOptions {
  /** An IANA time zone such as `Europe/Berlin`; UTC unless said otherwise. */
  readonly timeZone?: string;
  /** What happens to runs that were missed: one late run (`once`), none, or each of them. */
  readonly missed?: 'once' | 'skip' | 'all';
  /** What happens if the run before has not ended. */
  readonly overlap?: 'skip' | 'queue' | 'allow';
  readonly timeoutSeconds?: number;
}

/** What the default export of a module says that it is. */
export interface Trigger {
  readonly kind: 'hook' | 'schedule' | 'task';
  readonly event?: string;
  readonly collection?: string;
  readonly cron?: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly run: (event: never, ctx: never) => unknown;
}

/** Marks what the functions below return, also if two copies of this module were bundled. */
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

/** Runs after a document was created: at least once, and again if it fails. */
export const onCreate: After<DocumentEvent> = onCollection('post_create');
/** Runs after a document was changed: at least once, and again if it fails. */
export const onUpdate: After<UpdateEvent> = onCollection('post_update');
/** Runs after a document was deleted: at least once, and again if it fails. */
export const onDelete: After<DeleteEvent> = onCollection('post_delete');

type OnUser<Event> = <P extends ProjectTypes = KnownProject>(
  run: Handler<Event, P>,
  options?: AfterOptions,
) => Trigger;

/** Runs after somebody has signed up: at least once, and again if it fails. */
export const onRegister: OnUser<RegisterEvent> = onUsers('post_register');
/** Runs after somebody has signed in: at least once, and again if it fails. */
export const onLogin: OnUser<LoginEvent> = onUsers('post_login');

/** Fields to change, as in a PATCH; nothing leaves all as it is. */
type Changes = Readonly<Record<string, unknown>> | null | undefined | void;

type Before<Event, Returned> = <P extends ProjectTypes = KnownProject>(
  collection: string,
  run: (event: Event, ctx: Context<P>) => Returned | Promise<Returned>,
  options?: BeforeOptions,
) => Trigger;

/** Runs before a document is created, and may change or `refuse` it. */
export const beforeCreate: Before<BeforeCreateEvent, Changes> = onCollection('pre_create');
/** Runs before a document is changed, and may change or `refuse` that. */
export const beforeUpdate: Before<BeforeUpdateEvent, Changes> = onCollection('pre_update');
/** Runs before a document is deleted, and may `refuse` it. */
export const beforeDelete: Before<BeforeDeleteEvent, void> = onCollection('pre_delete');

type BeforeUser<Event, Returned> = <P extends ProjectTypes = KnownProject>(
  run: (event: Event, ctx: Context<P>) => Returned | Promise<Returned>,
  options?: BeforeOptions,
) => Trigger;

/** What a new user gets; whatever else is returned stays as it is. */
interface UserChanges {
  readonly role?: unknown;
  readonly data?: unknown;
  readonly claims?: unknown;
}

/** Runs before somebody becomes a user, in whatever way; may set `role`, `data` and `claims`, or `refuse`. */
export const beforeRegister: BeforeUser<BeforeRegisterEvent, UserChanges | null | undefined | void> =
  onUsers('pre_register');
/** Runs before a session begins, in whatever way, and may `refuse` it. */
export const beforeLogin: BeforeUser<BeforeLoginEvent, void> = onUsers('pre_login');

/** Ends a hook that runs before something: it is not done, and the caller is told the message. */
export function refuse(message: string): never {
  throw Object.assign(new Error(message), { name: 'Refusal' });
}

/** Runs at set times: `schedule('0 9 * * 1-5', { timeZone: 'Europe/Berlin' }, run)`. */
export function schedule<P extends ProjectTypes = KnownProject>(
  cron: string,
  options: ScheduleOptions,
  run: Handler<RunEvent, P>,
): Trigger {
  return trigger({ kind: 'schedule', cron, options: { ...options }, run });
}

/** Runs when `ctx.tasks.add` asks for it: at least once, and again if it fails. */
export function task<Payload = unknown, P extends ProjectTypes = KnownProject>(
  run: Handler<RunEvent & { readonly payload: Payload }, P>,
  options: AfterOptions = {},
): Trigger {
  return trigger({ kind: 'task', options: { ...options }, run });
}
