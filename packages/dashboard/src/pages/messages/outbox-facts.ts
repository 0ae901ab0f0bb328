import type { SentMessage } from '../../api/outbox.ts';
import { when } from '../../kit/when.ts';
import { texts } from '../../texts.ts';
import { nameOf } from './template-name.ts';

const { outbox: words } = texts;

/** What is known of a message, in a line: when, what went wrong, and what comes next. */
export function factsOf(message: SentMessage): string {
  const { status, attempts, lastError, createdAt, triedAt, nextTryAt, expiresAt } = message;
  const begun = words.begun(nameOf(message.template), words.kinds[message.kind], when(createdAt));
  if (status === 'sent')
    return triedAt && attempts > 1 ? `${begun}, ${words.sentAfter(attempts, when(triedAt))}` : begun;
  const isLate = expiresAt !== null && new Date(expiresAt).getTime() < Date.now();
  return [
    attempts > 0 ? `${begun}, ${words.tried(attempts)}` : begun,
    ...(lastError === null ? [] : [lastError.replace(/\.$/, '')]),
    ...(isLate ? [words.late] : []),
    ...(!isLate && nextTryAt ? [words.next(when(nextTryAt))] : []),
  ].join('. ');
}
