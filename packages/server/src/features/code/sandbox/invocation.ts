import type { Readable } from 'node:stream';

/** A deployed version of a project's code, as files in a folder. */
export interface Code {
  readonly project: string;
  readonly version: string;
  readonly folder: string;
}

/** What `config.get` reads. */
export interface CodeSettings {
  /** Changes with any of the values. */
  readonly epoch: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** One call of a function. */
export interface Invocation {
  readonly code: Code;
  readonly settings: CodeSettings;
  readonly file: string;
  /** A request for a function, or an event for a hook, a schedule or a task. */
  readonly kind: 'call' | 'event';
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Readable | Buffer | string | null;
  /** The app user who calls. */
  readonly user?: Readonly<Record<string, unknown>>;
  readonly deadlineMs: number;
  /** What the supervisor calls the service with on behalf of this call; the code never sees it. */
  readonly token: string;
  readonly onLog: (line: LogLine) => void;
}

export interface LogLine {
  readonly at: number;
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly text: string;
}

/** Where the process that answered came from. */
export type Start = 'warm' | 'blank' | 'cold';

export interface SandboxAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Readable;
  readonly callId: string;
  /** The function returned a value, not a Response. */
  readonly isValue: boolean;
  readonly start: Start;
  /** Resolves when the call has ended, with what it asked to be waited for. */
  readonly ended: Promise<void>;
}

export type SandboxFailure = 'failed' | 'timed_out' | 'crashed' | 'out_of_memory' | 'busy' | 'unreachable';

/** What the code threw, in its own words. */
export interface Thrown {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
}

/** Why a call has no answer. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';
  readonly reason: SandboxFailure;
  readonly thrown: Thrown | undefined;

  constructor(reason: SandboxFailure, message: string, thrown?: Thrown) {
    super(message);
    this.reason = reason;
    this.thrown = thrown;
  }
}
