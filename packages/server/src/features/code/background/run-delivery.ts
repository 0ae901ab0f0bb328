import type { Project } from '../../../calls/index.ts';
import type { DeliveryHandler, Outcome } from '../../deliveries/index.ts';
import { type FunctionRuns, isBefore, mostDepth, RunFailure } from '../functions/index.ts';

/** How long after each failure it is tried again: about three days. */
const retriesS = [5, 30, 120, 600, 3600, 7200, 18_000, 36_000, 72_000, 86_400];
/** Concurrent runs of one hook, task or schedule. @limit - */
const perLane = 10;
/** Longer than any function may take. */
const timeoutMs = 320_000;

interface DeliverDeps {
  readonly runs: FunctionRuns;
  readonly findProject: (id: string) => Promise<Project | undefined>;
}

/** Runs functions for what was delivered to them. */
export function functionHandler({ runs, findProject }: DeliverDeps): DeliveryHandler {
  return {
    retriesS,
    perLane,
    timeoutMs,
    keepsLog: false,
    mostDepth,
    async deliver({ projectId, id, event, payload, depth, attempt, subscriber }): Promise<Outcome> {
      const project = await findProject(projectId);
      const active = project && (await runs.find(project));
      const one = active?.functions.get(subscriber.name);
      if (!project || !active || !one || one.kind === 'http' || isBefore(one))
        return { kind: 'dead', error: 'The function no longer exists.' };
      try {
        await runs.runEvent(project, active, one, {
          payload: `${payload.slice(0, -1)},"attempt":${attempt}}`,
          depth: depth + 1,
          cause: `${event} ${id}`,
        });
        return { kind: 'done' };
      } catch (error) {
        if (!(error instanceof RunFailure)) throw error;
        return { kind: 'failed', error: `${error.outcome}: ${error.message}`.slice(0, 500) };
      }
    },
  };
}
