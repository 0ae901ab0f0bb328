import type {
  CallGuards,
  GuardedEvent,
  RequestContext,
  WriteGuard,
  WriteGuards,
} from '../../../calls/index.ts';
import { andThen, type NowOrLater } from '../../../platform/concurrency/now-or-later.ts';
import { AppError } from '../../../platform/errors.ts';
import { maxDepth as maxLevels, parseJson } from '../../../platform/http/parse-json.ts';
import { newRequestId } from '../../../platform/ids.ts';
import {
  type ActiveCode,
  type FunctionRecord,
  type FunctionRuns,
  hookDepth,
  keyOf,
  mostBeforeSeconds,
  mostDepth,
  RunFailure,
} from '../functions/index.ts';
import { Breaker, restMs } from './breaker.ts';
import { hookFailed, hookRecursion, hookRefused } from './errors.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Failures that take long, or much: somebody who sends such a thing again and again must not hold up everybody. */
const heavy: ReadonlySet<string> = new Set(['timed_out', 'crashed', 'out_of_memory']);

const reasons: Readonly<Record<RunFailure['outcome'], string>> = {
  timed_out: 'timed out.',
  crashed: 'crashed.',
  out_of_memory: 'exceeded its memory limit.',
  busy: 'could not start in time. Try again in a moment.',
  off: 'cannot run here.',
  unreachable: 'cannot be reached at the moment. Try again in a moment.',
  refused: 'rejected it.',
  failed: 'failed.',
};

/** Asks hooks of a project before something is written. */
export class FunctionGuards implements WriteGuards {
  readonly #runs: FunctionRuns;
  readonly #breaker = new Breaker();

  constructor(runs: FunctionRuns) {
    this.#runs = runs;
  }

  forCall(context: RequestContext): NowOrLater<CallGuards | undefined> {
    return andThen(this.#runs.find(context.project), (active) => active && this.#guards(context, active));
  }

  #guards(context: RequestContext, active: ActiveCode): CallGuards | undefined {
    const { before } = active;
    if (!before) return undefined;
    // From the first question on.
    let until: number | undefined;
    const leftMs = () => {
      until ??= performance.now() + mostBeforeSeconds * 1000;
      return until - performance.now();
    };
    return {
      before: (event, collection) => {
        const hooks = before.get(keyOf({ event, collection }));
        return hooks?.map((hook) => this.#guard(context, { active, hook, event, collection, leftMs }));
      },
    };
  }

  #guard(context: RequestContext, asking: Asking): WriteGuard {
    const { hook, event, collection } = asking;
    const { log, principal, project } = context;
    return async (told) => {
      if (principal.code?.name === hook.name) throw hookRecursion(hook.name);
      const about = { event, ...(collection !== undefined && { collection }), at: new Date().toISOString() };
      const by = principal.user && { by: { user: principal.user.id } };
      try {
        return await this.#run(context, asking, { id: newRequestId(), ...about, ...by, ...told });
      } catch (error) {
        if (!isFailure(error) || !hook.options.failOpen) throw error;
        log.warn({ project: project.ref, hook: hook.name }, 'a hook failed and was skipped');
        return undefined;
      }
    };
  }

  async #run(
    { project, principal: { isTrusted, user, code } }: RequestContext,
    { active, hook, leftMs }: Asking,
    told: Fields & Pick<Asking, 'event'> & { readonly id: string },
  ): Promise<Fields | undefined> {
    const { name, options } = hook;
    const depth = code ? code.depth + 1 : 0;
    if (depth > mostDepth) throw hookDepth(mostDepth);
    const key = `${project.id} ${active.digest} ${name}`;
    if (this.#breaker.rests(key))
      throw hookFailed(name, `has failed several times in a row and is paused for ${restMs / 1000} seconds.`);
    const left = leftMs();
    if (left <= 0) throw hookFailed(name, 'could not start: the hooks before it used up all the time.');
    try {
      const { text, run } = await this.#runs.askEvent(project, active, hook, {
        payload: JSON.stringify(told),
        ...(user && {
          user: { id: user.id, email: user.email, role: user.role, email_verified: user.email_verified },
        }),
        depth,
        cause: `${told.event} ${told.id}`,
        timeoutMs: Math.min(left, (options.timeoutSeconds ?? mostBeforeSeconds) * 1000),
      });
      this.#breaker.note(key, false);
      return readChanges(name, text, run);
    } catch (error) {
      if (!(error instanceof RunFailure)) throw error;
      this.#breaker.note(key, heavy.has(error.outcome));
      if (error.outcome === 'refused') throw hookRefused(error.message, isTrusted ? name : undefined);
      throw hookFailed(
        name,
        `${reasons[error.outcome]} For details, see its log: plinth functions logs ${error.run}.`,
        error.run,
      );
    }
  }
}

interface Asking {
  readonly active: ActiveCode;
  readonly hook: FunctionRecord;
  readonly event: GuardedEvent;
  readonly collection: string | undefined;
  /** Until the deadline of the call. */
  readonly leftMs: () => number;
}

const isFailure = (error: unknown): boolean => error instanceof AppError && error.code === 'hook_failed';

/** What a hook wants changed; nothing, if it returns nothing. */
function readChanges(hook: string, text: string | undefined, run: string): Fields | undefined {
  if (text === undefined)
    throw hookFailed(hook, 'returned too much data, or its response was incomplete.', run);
  const value = readJson(hook, text, run);
  if (value === null) return undefined;
  if (typeof value !== 'object' || Array.isArray(value))
    throw hookFailed(hook, 'did not return an object with the fields to change.', run);
  return value as Fields;
}

function readJson(hook: string, text: string, run: string): unknown {
  try {
    return parseJson(text, maxLevels);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw hookFailed(hook, 'returned a value that cannot be stored.', run);
  }
}
