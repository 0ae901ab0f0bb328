import type { Client, Files, ProjectTypes } from '@plinth/client';
import type { KnownProject } from './register.ts';

/** The app user who calls, as the record is now. */
export interface CallingUser {
  readonly id: string;
  readonly email: string;
  readonly role: string;
  readonly email_verified: boolean;
}

/** Built-in configuration keys and environment variables. What is changed counts from the next call. */
export interface Config {
  get(key: string): unknown;
  get<Default>(key: string, otherwise: Default): string | Default;
}

/** Speaks to the project with the rights of a server. */
export interface Database<P extends ProjectTypes = KnownProject> extends Omit<Client<P>, 'as'> {
  /** The same project with the rights of an app user: its rules count. */
  as(user: { readonly id: string } | string): Client<P>;
}

export interface Log {
  debug(...parts: readonly unknown[]): void;
  info(...parts: readonly unknown[]): void;
  warn(...parts: readonly unknown[]): void;
  error(...parts: readonly unknown[]): void;
}

/** Work that goes on by itself, whatever becomes of this call. */
export interface Tasks {
  /** Lets a task of the project run, at least once: at once, or not before `runAt`. */
  add(name: string, payload?: unknown, options?: { readonly runAt?: Date | string }): Promise<{ id: string }>;
}

/** A mail as code writes it. */
export interface NewMail {
  /** An address, or up to ten; each gets a mail of its own. */
  readonly to: string | readonly string[];
  readonly subject: string;
  /** What it says, as plain text. */
  readonly text: string;
  /** The same as HTML, for programs that show it. */
  readonly html?: string;
}

/** A mail that waits to be sent; `GET /messages` tells what became of it. */
export interface QueuedMail {
  readonly id: string;
  readonly to: string;
}

export interface Mail {
  /** Queues a mail from the project's sender. With a key it is sent once, however often code runs with that key. */
  send(mail: NewMail, options?: { readonly idempotencyKey?: string }): Promise<readonly QueuedMail[]>;
}

/** What every function gets beside its request or event. */
export interface Context<P extends ProjectTypes = KnownProject> {
  readonly config: Config;
  readonly db: Database<P>;
  readonly files: Files;
  readonly tasks: Tasks;
  readonly mail: Mail;
  /** The app user who calls, or null. */
  readonly user: CallingUser | null;
  readonly log: Log;
  readonly fetch: typeof fetch;
  /** Names this call in the logs. */
  readonly callId: string;
  /** Ends when the call is past its deadline. */
  readonly signal: AbortSignal;
  /** Work that goes on after the answer was given, until the deadline. */
  waitUntil(work: Promise<unknown>): void;
}

/** What a module's default export is, unless it is a trigger: it answers `ANY /functions/{name}`. */
export type HttpFunction<P extends ProjectTypes = KnownProject> = (
  request: Request,
  ctx: Context<P>,
) => unknown;
