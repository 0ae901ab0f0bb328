import type { Client, Files, ProjectTypes } from '@plinth/client';
import type { KnownProject } from './register.ts';

/** The app user who made the request, with the current record. */
export interface CallingUser {
  readonly id: string;
  readonly email: string;
  readonly role: string;
  readonly email_verified: boolean;
}

/** Built-in configuration keys and environment variables. Changes take effect from the next call on. */
export interface Config {
  get(key: string): unknown;
  get<Default>(key: string, otherwise: Default): string | Default;
}

/** A client of the project with the permissions of a server. */
export interface Database<P extends ProjectTypes = KnownProject> extends Omit<Client<P>, 'as'> {
  /** The same project with the permissions of an app user: rules apply. */
  as(user: { readonly id: string } | string): Client<P>;
}

export interface Log {
  debug(...parts: readonly unknown[]): void;
  info(...parts: readonly unknown[]): void;
  warn(...parts: readonly unknown[]): void;
  error(...parts: readonly unknown[]): void;
}

/** Background work that runs independently of this call. */
export interface Tasks {
  /** Queues a task of the project, which runs at least once: immediately, or not before `runAt`. */
  add(name: string, payload?: unknown, options?: { readonly runAt?: Date | string }): Promise<{ id: string }>;
}

/** A custom email. */
export interface NewMail {
  /** One email address, or up to ten; each gets a separate email. */
  readonly to: string | readonly string[];
  readonly subject: string;
  /** The content as plain text. */
  readonly text: string;
  /** The content as HTML, for email clients that show it. */
  readonly html?: string;
}

/** A queued email; `GET /messages` shows its status. */
export interface QueuedMail {
  readonly id: string;
  readonly to: string;
}

export interface Mail {
  /** Queues an email from the project's sender. With a key, it is only sent once, even if the code runs again. */
  send(mail: NewMail, options?: { readonly idempotencyKey?: string }): Promise<readonly QueuedMail[]>;
}

/** What every function receives in addition to its request or event. */
export interface Context<P extends ProjectTypes = KnownProject> {
  readonly config: Config;
  readonly db: Database<P>;
  readonly files: Files;
  readonly tasks: Tasks;
  readonly mail: Mail;
  /** The app user who made the request, or null. */
  readonly user: CallingUser | null;
  readonly log: Log;
  readonly fetch: typeof fetch;
  /** Identifies this call in the logs. */
  readonly callId: string;
  /** Aborted when the call exceeds its deadline. */
  readonly signal: AbortSignal;
  /** Lets work continue after the response was sent, until the deadline. */
  waitUntil(work: Promise<unknown>): void;
}

/** The default export of a module, unless it is a trigger: it handles `ANY /functions/{name}`. */
export type HttpFunction<P extends ProjectTypes = KnownProject> = (
  request: Request,
  ctx: Context<P>,
) => unknown;
