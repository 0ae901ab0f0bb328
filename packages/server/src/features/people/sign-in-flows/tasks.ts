import type { Project } from '../../../calls/index.ts';
import type { Cells } from '../../../platform/db/cells.ts';
import type { JobContent, Task } from '../../../platform/jobs/job-runner.ts';
import type { MessageContext } from '../messages/index.ts';
import { phoneTask } from '../phone-sign-in/index.ts';
import { resetTask } from '../reset-password/index.ts';
import type { UserFlowDeps } from './deps.ts';

interface TaskDeps extends UserFlowDeps {
  readonly cells: Cells;
  readonly findProject: (id: string) => Promise<Project | undefined>;
}

/** The jobs of flows that must not tell whether a user exists: whatever depends on that is done here. */
export function signInFlowTasks(deps: TaskDeps): Record<string, Task> {
  return {
    'start-password-reset': async (content) => {
      const context = await contextOf(deps, content);
      if (context) await resetTask(deps, context, content);
    },
    'start-phone-login': async (content) => {
      const context = await contextOf(deps, content);
      if (context) await phoneTask(deps, context, content);
    },
  };
}

/** Undefined: the project is gone, and its jobs with it. */
async function contextOf(
  { findProject, cells }: TaskDeps,
  { projectId }: JobContent,
): Promise<MessageContext | undefined> {
  const project = await findProject(projectId);
  return project && { project, db: cells.forProject(project) };
}
