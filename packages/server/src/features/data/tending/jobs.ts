import type { Project } from '../../../calls/index.ts';
import type { Task } from '../../../platform/jobs/job-runner.ts';
import type { TendingDeps } from './deps.ts';
import { tendCollection } from './tend-collection.ts';

interface JobDeps extends TendingDeps {
  readonly findProject: (id: string) => Promise<Project | undefined>;
}

/** The work on indexes that no call waits for. */
export function indexTasks(deps: JobDeps): Record<string, Task> {
  return {
    'tend-collection': async ({ projectId, collection }) => {
      const project = await deps.findProject(projectId);
      if (project) await tendCollection(deps, project, Number(collection));
    },
  };
}
