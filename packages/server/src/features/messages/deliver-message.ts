import type { JobContent, Task } from '../../platform/jobs/job-runner.ts';
import { parseJsonText } from '../../platform/json.ts';
import type { Project } from '../projects/index.ts';
import { FailedServers } from './failed-servers.ts';
import type { Message } from './message.ts';
import { postMail } from './post-mail.ts';
import { postText } from './post-text.ts';
import { renderFor } from './render-for.ts';
import { messagePlace } from './send-message.ts';
import type { DeliveryServices } from './services.ts';

/** The jobs that deliver what was put into the queue. */
export function messageTasks(services: DeliveryServices): Record<'send-mail' | 'send-text', Task> {
  const failed = new FailedServers();
  return {
    'send-mail': async (content, { key }) => {
      const job = await openJob(services, content);
      if (!job) return;
      const { project, message } = job;
      const mail = { to: message.to, key, ...(await renderFor(services, project, message)) };
      await failed.spare(project.id, () => postMail(services, project, mail));
    },
    'send-text': async (content, { key }) => {
      const job = await openJob(services, content);
      if (!job) return;
      const { project, message } = job;
      const { text } = await renderFor(services, project, message);
      await failed.spare(project.id, () => postText(services, project, { to: message.to, text, key }));
    },
  };
}

/** What is to be sent, and for whom; undefined: too late, or the project is gone. */
async function openJob(
  { vault, findProject }: DeliveryServices,
  { projectId, sealed }: JobContent,
): Promise<{ project: Project; message: Message } | undefined> {
  const message = parseJsonText(
    vault.decrypt(Buffer.from(String(sealed), 'base64'), messagePlace(projectId)),
  ) as Message;
  if (message.expiresAt !== undefined && message.expiresAt < Date.now()) return undefined;
  const project = await findProject(projectId);
  return project && { project, message };
}
