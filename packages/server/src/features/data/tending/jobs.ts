import type { Project } from '../../../calls/index.ts';
import type { Task } from '../../../platform/jobs/job-runner.ts';
import { scheduleTending } from '../indexes/index.ts';
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
      if (!project) return;
      const number = Number(collection);
      // The next turn is at the end of the line.
      if ((await tendCollection(deps, project, number)) === 'some')
        await scheduleTending({ db: deps.cells.forProject(project), project }, number);
    },
  };
}
