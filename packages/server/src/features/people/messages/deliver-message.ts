import type { Project } from '../../../calls/index.ts';
import type { JobContent, Task } from '../../../platform/jobs/job-runner.ts';
import { openContent } from '../../../platform/jobs/sealed-content.ts';
import { renderFor } from '../mail-texts/index.ts';
import type { DeliveryDeps } from './deps.ts';
import { FailedServers } from './failed-servers.ts';
import { type Message, messagePlace, messageSchema } from './message.ts';
import { postMail } from './post-mail.ts';
import { postText } from './post-text.ts';

/** The jobs that deliver the messages of the queue. */
export function messageTasks(deps: DeliveryDeps): Record<'send-mail' | 'send-text', Task> {
  const failed = new FailedServers();
  return {
    'send-mail': async (content, { key }) => {
      const job = await openJob(deps, content);
      if (!job) return;
      const { project, message } = job;
      const mail = { to: message.to, key, ...(await renderFor(deps, project, message)) };
      await failed.spare(project.id, () => postMail(deps, project, mail));
    },
    'send-text': async (content, { key }) => {
      const job = await openJob(deps, content);
      if (!job) return;
      const { project, message } = job;
      const { text } = await renderFor(deps, project, message);
      await failed.spare(project.id, () => postText(deps, project, { to: message.to, text, key }));
    },
  };
}

/** What to send, and for which project. Undefined: it is too late, or the project is gone. */
async function openJob(
  { vault, findProject }: DeliveryDeps,
  content: JobContent,
): Promise<{ project: Project; message: Message } | undefined> {
  const { projectId } = content;
  const message = openContent(vault, messagePlace(projectId), { schema: messageSchema, content });
  if (message.expiresAt !== undefined && message.expiresAt < Date.now()) return undefined;
  const project = await findProject(projectId);
  return project && { project, message };
}
