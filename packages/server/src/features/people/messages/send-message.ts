import { randomUUID } from 'node:crypto';
import type { Project, RequestContext } from '../../../calls/index.ts';
import { sha256 } from '../../../platform/crypto/secrets.ts';
import { addJob } from '../../../platform/jobs/add-job.ts';
import { sealContent } from '../../../platform/jobs/sealed-content.ts';
import type { MessageDeps } from './deps.ts';
import { type Message, messagePlace } from './message.ts';
import { countMail } from './store.ts';

export type MessageContext = Pick<RequestContext, 'db' | 'project'>;

/** To one address, from one project. */
const mailsPerHour = 30;

/** Whether the project can send mail at all. */
export async function canMail({ server, secrets }: MessageDeps, project: Project): Promise<boolean> {
  if (server.smtpUrl !== undefined || server.folder !== undefined) return true;
  return (await secrets.find(project, 'mail')) !== undefined;
}

/** Whether the project can send text messages. */
export async function canText({ server, secrets }: MessageDeps, project: Project): Promise<boolean> {
  return server.folder !== undefined || (await secrets.find(project, 'sms')) !== undefined;
}

/** Queues a mail, in the transaction of its cause; more than anybody can want within an hour are dropped. */
export async function sendMail(deps: MessageDeps, context: MessageContext, message: Message): Promise<void> {
  const receiver = sha256(message.to.toLowerCase());
  if ((await countMail(context.db, receiver)) > mailsPerHour) return;
  await enqueue(deps, context, 'send-mail', message);
}

/** Queues a text message, in the transaction of its cause. */
export async function sendText(deps: MessageDeps, context: MessageContext, message: Message): Promise<void> {
  await enqueue(deps, context, 'send-text', message);
}

async function enqueue(
  { vault }: MessageDeps,
  { db, project }: MessageContext,
  task: string,
  message: Message,
): Promise<void> {
  const content = sealContent(vault, messagePlace(project.id), message);
  const isAwaited = 'link' in message.variables || 'code' in message.variables;
  await addJob(db, { task, key: `${project.ref}-${randomUUID()}`, content, isAwaited });
}
