import { isQuotaExceeded, type Project } from '../../../calls/index.ts';
import { sha256 } from '../../../platform/crypto/secrets.ts';
import type { MessageDeps } from './deps.ts';
import type { Message } from './message.ts';
import { isAwaited, type MessageContext, queueMessage } from './queue-message.ts';
import { countMessage } from './store.ts';

/** Emails from a project to one address per hour; more are dropped. @limit - */
const mailsPerHour = 30;

/** Whether the project can send mail at all. */
export async function canMail({ server, secrets }: MessageDeps, project: Project): Promise<boolean> {
  if (server.smtpUrl !== undefined || server.folder !== undefined) return true;
  return (await secrets.find(project, 'mail')) !== undefined;
}

/** Whether a mail of the project’s own making may go to an address: through the deployment’s server only to few. */
export async function mayMailTest(
  { server, secrets }: MessageDeps,
  project: Project,
  to: string,
): Promise<boolean> {
  if (project.settings.testReceivers?.includes(to.toLowerCase())) return true;
  return server.folder !== undefined || (await secrets.find(project, 'mail')) !== undefined;
}

/** Whether the project can send text messages. */
export async function canText({ server, secrets }: MessageDeps, project: Project): Promise<boolean> {
  return server.folder !== undefined || (await secrets.find(project, 'sms')) !== undefined;
}

/**
 * Queues a mail, in the transaction of its cause; more than anybody can want within an hour are dropped. Past the
 * project’s quota it fails if somebody waits for it, and is dropped if not.
 */
export async function sendMail(deps: MessageDeps, context: MessageContext, message: Message): Promise<void> {
  try {
    await deps.quotas.spend(context, { mailsPerDay: 1 }, async () => {
      const receiver = sha256(message.to.toLowerCase());
      if ((await countMessage(context.db, 'mail', receiver)) > mailsPerHour) return;
      await queueMessage(deps, context, 'mail', message);
    });
  } catch (error) {
    if (isAwaited(message) || !isQuotaExceeded(error)) throw error;
  }
}

/** Queues a text message, in the transaction of its cause. */
export async function sendText(deps: MessageDeps, context: MessageContext, message: Message): Promise<void> {
  await deps.quotas.spend(context, { textsPerDay: 1 }, async () => {
    await countMessage(context.db, 'text', sha256(message.to));
    await queueMessage(deps, context, 'text', message);
  });
}
