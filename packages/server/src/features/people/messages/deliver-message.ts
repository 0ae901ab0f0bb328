import type { Project } from '../../../calls/index.ts';
import type { JobContent, RunningJob, Task } from '../../../platform/jobs/job-runner.ts';
import { openContent } from '../../../platform/jobs/sealed-content.ts';
import { renderFor } from '../mail-texts/index.ts';
import type { DeliveryDeps } from './deps.ts';
import { explainFailure } from './explain-failure.ts';
import { FailedServers } from './failed-servers.ts';
import { messagePlace, messageSchema, type QueuedMessage } from './message.ts';
import { type MessageKind, messageOfJob } from './message-record.ts';
import { postMail } from './post-mail.ts';
import { postText } from './post-text.ts';
import { noteExpired, noteFailure, noteSent, trimRecords } from './record-store.ts';

/** The jobs that deliver the messages of the queue. */
export function messageTasks(deps: DeliveryDeps): Record<'send-mail' | 'send-text', Task> {
  const failed = new FailedServers();
  const taskOf =
    (kind: MessageKind): Task =>
    async (content, job) => {
      const opened = await openJob(deps, content);
      if (opened) await deliver(deps, failed, { kind, job, ...opened });
    };
  return { 'send-mail': taskOf('mail'), 'send-text': taskOf('text') };
}

interface Delivery {
  readonly kind: MessageKind;
  readonly job: RunningJob;
  readonly project: Project;
  readonly message: QueuedMessage;
}

/**
 * Hands a message over, and notes what became of it. A note that fails changes nothing: a message is not sent twice for
 * its sake.
 */
async function deliver(deps: DeliveryDeps, failed: FailedServers, delivery: Delivery): Promise<void> {
  const { kind, project, message, job } = delivery;
  const db = deps.cells.forProject(project);
  const id = messageOfJob(job.key);
  if (isTooLate(message)) {
    deps.onDelivery?.(kind, 'expired');
    return noteExpired(db, id).catch(() => {});
  }
  try {
    await failed.spare(project.id, () => post(deps, delivery));
  } catch (error) {
    const words = explainFailure(error, await hasOwnServer(deps, delivery));
    deps.onDelivery?.(kind, job.nextTryInS === undefined ? 'given_up' : 'failed');
    await noteFailure(db, { id, error: words, nextTryInS: job.nextTryInS }).catch(() => {});
    throw error;
  } finally {
    await trimRecords(db).catch(() => {});
  }
  deps.onDelivery?.(kind, 'sent');
  await noteSent(db, id).catch(() => {});
}

const isTooLate = (message: QueuedMessage): boolean =>
  'expiresAt' in message && message.expiresAt !== undefined && message.expiresAt < Date.now();

async function post(deps: DeliveryDeps, { kind, project, message, job: { key } }: Delivery): Promise<void> {
  const { to } = message;
  const rendered = 'written' in message ? message.written : await renderFor(deps, project, message);
  if (kind === 'mail') await postMail(deps, project, { to, key, ...rendered });
  else await postText(deps, project, { to, key, text: rendered.text });
}

async function hasOwnServer({ secrets }: DeliveryDeps, { kind, project }: Delivery): Promise<boolean> {
  const settings = await secrets.find(project, kind === 'mail' ? 'mail' : 'sms').catch(() => undefined);
  return settings !== undefined;
}

/** What to send, and for which project. Undefined: the project is gone. */
async function openJob(
  { vault, findProject }: DeliveryDeps,
  content: JobContent,
): Promise<{ project: Project; message: QueuedMessage } | undefined> {
  const { projectId } = content;
  const message = openContent(vault, messagePlace(projectId), { schema: messageSchema, content });
  const project = await findProject(projectId);
  return project && { project, message };
}
