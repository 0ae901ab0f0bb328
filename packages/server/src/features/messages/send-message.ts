import { randomUUID } from 'node:crypto';
import { addJob } from '../../platform/jobs/add-job.ts';
import { sha256 } from '../../platform/secrets.ts';
import type { Project, RequestContext } from '../projects/index.ts';
import type { Message } from './message.ts';
import type { MessageServices } from './services.ts';
import { countMail } from './store.ts';

/** To one address, from one project. */
const mailsPerHour = 30;

type Services = Pick<MessageServices, 'vault' | 'secrets' | 'server'>;

/** Whether mails of this project can go out at all. */
export async function canMail(
  { server, secrets }: Pick<Services, 'secrets' | 'server'>,
  project: Project,
): Promise<boolean> {
  if (server.smtpUrl !== undefined || server.folder !== undefined) return true;
  return (await secrets.find(project, 'mail')) !== undefined;
}

/** Whether text messages of this project can go out. */
export async function canText(
  { server, secrets }: Pick<Services, 'secrets' | 'server'>,
  project: Project,
): Promise<boolean> {
  return server.folder !== undefined || (await secrets.find(project, 'sms')) !== undefined;
}

/**
 * Puts a mail into the queue, in the transaction of its cause; what is more than somebody can want within an hour is
 * dropped.
 */
export async function sendMail(services: Services, context: MessageContext, message: Message): Promise<void> {
  const receiver = sha256(message.to.toLowerCase());
  if ((await countMail(context.db, receiver)) > mailsPerHour) return;
  await enqueue(services, context, 'send-mail', message);
}

/** Puts a text message into the queue, in the transaction of its cause. */
export async function sendText(services: Services, context: MessageContext, message: Message): Promise<void> {
  await enqueue(services, context, 'send-text', message);
}

export type MessageContext = Pick<RequestContext, 'db' | 'project'>;

/** Codes and links are in it: sealed, and only readable as what it is. */
export const messagePlace = (projectId: string) => `message of project ${projectId}`;

async function enqueue(
  { vault }: Services,
  { db, project }: MessageContext,
  task: string,
  message: Message,
): Promise<void> {
  const sealed = vault.encrypt(JSON.stringify(message), messagePlace(project.id)).toString('base64');
  const isAwaited = 'link' in message.variables || 'code' in message.variables;
  await addJob(db, { task, key: `${project.ref}-${randomUUID()}`, content: { sealed }, isAwaited });
}
