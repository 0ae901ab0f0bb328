import type { Task } from '../../platform/jobs/job-runner.ts';
import type { Project } from '../projects/index.ts';
import { type TendingServices, tendCollection } from './tend-collection.ts';

interface JobServices extends TendingServices {
  readonly findProject: (id: string) => Promise<Project | undefined>;
}

/** The work on indexes that no call waits for. */
export function indexTasks(services: JobServices): Record<string, Task> {
  return {
    'tend-collection': async ({ projectId, collection }) => {
      const project = await services.findProject(projectId);
      if (project) await tendCollection(services, project, Number(collection));
    },
  };
}
