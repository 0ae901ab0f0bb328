import type { RequestContext } from '../../../calls/index.ts';
import { newRequestId } from '../../../platform/ids.ts';
import { addJob } from '../../../platform/jobs/add-job.ts';
import { sealContent } from '../../../platform/jobs/sealed-content.ts';
import type { MessageDeps } from './deps.ts';
import { messagePlace, type QueuedMessage } from './message.ts';
import { jobKeyOf, type MessageKind, type MessageRecord, writtenTemplate } from './message-record.ts';
import { insertRecord } from './record-store.ts';

export type MessageContext = Pick<RequestContext, 'db' | 'project'>;

/** Writes a message down with the job that sends it. */
export async function queueMessage(
  { vault }: Pick<MessageDeps, 'vault'>,
  { db, project }: MessageContext,
  kind: MessageKind,
  message: QueuedMessage,
): Promise<MessageRecord> {
  // An id that begins with its time, and that no link leads to.
  const id = newRequestId();
  const record = await insertRecord(db, { id, kind, to: message.to, ...shownOf(message) });
  await addJob(db, {
    task: `send-${kind}`,
    key: jobKeyOf(project, id),
    content: sealContent(vault, messagePlace(project.id), message),
    isAwaited: isAwaited(message),
  });
  return record;
}

/** Somebody sits and waits for a link or a code. */
export function isAwaited(message: QueuedMessage): boolean {
  return 'variables' in message && ('link' in message.variables || 'code' in message.variables);
}

function shownOf(message: QueuedMessage): { template: string; expiresAt: Date | null } {
  if ('written' in message) return { template: writtenTemplate, expiresAt: null };
  const { template, expiresAt } = message;
  return { template, expiresAt: expiresAt === undefined ? null : new Date(expiresAt) };
}
