import type { Cells } from '../../platform/db/cells.ts';
import type { JobContent, Task } from '../../platform/jobs/job-runner.ts';
import { parseJsonText } from '../../platform/json.ts';
import type { MessageContext } from '../messages/index.ts';
import type { Project } from '../projects/index.ts';
import { type ForgottenPassword, forgottenPlace, startPasswordReset } from './password-reset.ts';
import { type PhoneWish, phonePlace, startPhoneLogin } from './phone.ts';
import type { AuthFlowServices } from './services.ts';

interface JobServices extends Pick<AuthFlowServices, 'messages' | 'vault' | 'pagesOf'> {
  readonly cells: Cells;
  readonly findProject: (id: string) => Promise<Project | undefined>;
}

/** The jobs of flows that must not tell whether an account exists: what depends on it is done here. */
export function authFlowTasks(services: JobServices): Record<string, Task> {
  return {
    'start-password-reset': async (content) => {
      const context = await contextOf(services, content);
      if (context)
        await startPasswordReset(
          services,
          context,
          open<ForgottenPassword>(services, content, forgottenPlace),
        );
    },
    'start-phone-login': async (content) => {
      const context = await contextOf(services, content);
      if (context) await startPhoneLogin(services, context, open<PhoneWish>(services, content, phonePlace));
    },
  };
}

/** Undefined: the project is gone, and its jobs with it. */
async function contextOf(
  { findProject, cells }: JobServices,
  { projectId }: JobContent,
): Promise<MessageContext | undefined> {
  const project = await findProject(projectId);
  return project && { project, db: cells.forProject(project) };
}

function open<Content>(
  { vault }: JobServices,
  { projectId, sealed }: JobContent,
  place: (projectId: string) => string,
): Content {
  return parseJsonText(vault.decrypt(Buffer.from(String(sealed), 'base64'), place(projectId))) as Content;
}
