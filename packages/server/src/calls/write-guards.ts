import type { NowOrLater } from '../platform/concurrency/now-or-later.ts';
import type { AppError } from '../platform/errors.ts';
import type { RequestContext } from './context.ts';

/** What is about to happen in a project, which its own code may change or refuse. */
export type GuardedEvent = 'pre_create' | 'pre_update' | 'pre_delete' | 'pre_register' | 'pre_login';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Asks one hook of the project about one thing that is about to happen. What it wants changed is returned, as in a PATCH;
 * undefined: nothing. Fails with `hook_refused` or `hook_failed`. Not for transactions: the code calls the service itself.
 */
export type WriteGuard = (told: Fields) => Promise<Fields | undefined>;

/** The code that one call has to ask: all of it together has one deadline. */
export interface CallGuards {
  /** Asked one after the other, each told what those before it have changed. Undefined: none is asked before that. */
  before(event: GuardedEvent, collection?: string): readonly WriteGuard[] | undefined;
}

/** Knows which code is asked before what. Routes that write ask it, and do not know what runs. */
export interface WriteGuards {
  /** Undefined: the project has no code that is asked before anything, and all is as without. */
  forCall(context: RequestContext): NowOrLater<CallGuards | undefined>;
}

/** What the code was asked about has changed since: it is asked again, a few times. */
export class AskAgain extends Error {
  /** What the caller is told if it never stays the same. */
  readonly otherwise: AppError;

  constructor(otherwise: AppError) {
    super('The data changed while the code of the project was running.');
    this.otherwise = otherwise;
  }
}
