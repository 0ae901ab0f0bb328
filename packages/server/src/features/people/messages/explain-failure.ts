import { OutboundError } from '../../../platform/outbound/outbound-error.ts';

/** Why a message could not be handed over, in words that the people of its project may read. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError';
}

interface MailFailure {
  /** As the library for mail calls it. */
  readonly code?: unknown;
  readonly responseCode?: unknown;
  readonly response?: unknown;
}

const reasons: ReadonlyMap<unknown, string> = new Map([
  ['EAUTH', 'The mail server rejected the user name and password'],
  ['EENVELOPE', 'The mail server does not accept mail from this sender to this recipient'],
  ['EMESSAGE', 'The mail server rejected the message'],
  ['ETLS', 'The mail server does not offer an encrypted connection'],
  ['EDNS', 'The host name of the mail server cannot be resolved'],
  ['ECONNECTION', 'The mail server cannot be reached'],
  ['ESOCKET', 'The mail server cannot be reached'],
  ['ECONNREFUSED', 'The mail server cannot be reached'],
  ['ETIMEDOUT', 'The mail server did not respond in time'],
  ['EPROTOCOL', 'The mail server sent an unexpected response'],
]);

const longestReply = 200;

/**
 * Words a failure for the people of the project. What the server replied is theirs to see only if the server is: the
 * deployment’s own is not their business.
 */
export function explainFailure(error: unknown, isOwnServer: boolean): string {
  if (error instanceof OutboundError || error instanceof DeliveryError) return error.message;
  const { code, responseCode, response } = failureOf(error);
  const reason = reasons.get(code) ?? 'The message could not be sent';
  if (isOwnServer && typeof response === 'string' && response !== '')
    return `${reason}. It said: ${harmless(response)}`;
  return typeof responseCode === 'number' ? `${reason} (${responseCode}).` : `${reason}.`;
}

/** A server might repeat what it was sent: nothing that could be a link or a code is kept. */
function harmless(reply: string): string {
  return reply
    .replace(/\p{Cc}+/gu, ' ')
    .slice(0, longestReply)
    .replace(/\w+:\/\/\S+|\S{24,}|\d{4,}/g, '…');
}

const failureOf = (error: unknown): MailFailure => (typeof error === 'object' && error !== null ? error : {});
