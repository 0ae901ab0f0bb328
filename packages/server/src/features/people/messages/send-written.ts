import { sha256 } from '../../../platform/crypto/secrets.ts';
import { invalidBody } from '../../../platform/http/errors.ts';
import { findUserByEmail } from '../user-records/index.ts';
import type { MessageDeps } from './deps.ts';
import { mailNotConfigured, receiverUnknown, tooManyWritten } from './errors.ts';
import type { WrittenMail } from './message.ts';
import { shownRecord } from './message-record.ts';
import { type MessageContext, queueMessage } from './queue-message.ts';
import { canMail, mayMailTest } from './send-message.ts';
import { countMessage } from './store.ts';

/** Emails from a project’s own code to one address per hour. @limit rate_limited */
const writtenPerHour = 30;

const address = /^[^\s@<>,;:"()[\]\\\p{Cc}]+@[^\s@<>,;:"()[\]\\\p{Cc}]+$/u;

type NewMail = WrittenMail['written'] & { readonly to: string | readonly string[] };

/** Queues a mail that the project's code has written: each receiver gets one of its own, all of them or none. */
export async function sendWritten(deps: MessageDeps, context: MessageContext, { to, ...written }: NewMail) {
  if (/\p{Cc}/u.test(written.subject))
    throw invalidBody('subject must be one line without control characters.');
  const receivers = readReceivers(to);
  if (!(await canMail(deps, context.project))) throw mailNotConfigured();
  for (const receiver of receivers)
    if (!(await mayMail(deps, context, receiver))) throw receiverUnknown(receiver);
  return context.db.transaction(async (db) => {
    const inside = { ...context, db };
    return deps.quotas.spend(inside, { mailsPerDay: receivers.length }, async () => {
      const sent = [];
      for (const receiver of receivers) {
        await countReceiver(inside, receiver);
        sent.push(shownRecord(await queueMessage(deps, inside, 'mail', { to: receiver, written })));
      }
      return sent;
    });
  });
}

/** Each once, and in one order: calls that count the same receivers must not wait for each other in a circle. */
function readReceivers(to: string | readonly string[]): string[] {
  const receivers = new Map<string, string>();
  for (const given of [to].flat()) {
    const receiver = given.trim();
    if (!address.test(receiver))
      throw invalidBody('to must be an email address or a list of email addresses.');
    receivers.set(receiver.toLowerCase(), receiver);
  }
  return [...receivers].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, receiver]) => receiver);
}

/** Through the deployment’s server, app users may be written to: they get other mails of the project anyway. */
async function mayMail(deps: MessageDeps, context: MessageContext, to: string): Promise<boolean> {
  if (await mayMailTest(deps, context.project, to)) return true;
  return (await findUserByEmail(context, to)) !== undefined;
}

/** Apart from the service's own mails: an app that writes much must not keep codes from arriving. */
async function countReceiver({ db }: MessageContext, to: string): Promise<void> {
  const count = await countMessage(db, 'mail', sha256(`written ${to.toLowerCase()}`));
  if (count > writtenPerHour) throw tooManyWritten(to, writtenPerHour);
}
