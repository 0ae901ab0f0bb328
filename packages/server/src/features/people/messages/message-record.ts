export const messageKinds = ['mail', 'text'] as const;
export type MessageKind = (typeof messageKinds)[number];

export const messageStatuses = ['waiting', 'sent', 'failed'] as const;
export type MessageStatus = (typeof messageStatuses)[number];

/** Stands where others name their template: the project's code has written the mail. */
export const writtenTemplate = 'custom';

/** What became of a message, without what it says. */
export interface MessageRecord {
  readonly id: string;
  readonly kind: MessageKind;
  readonly template: string;
  readonly to: string;
  readonly status: MessageStatus;
  readonly attempts: number;
  readonly lastError: string | null;
  readonly createdAt: Date;
  readonly triedAt: Date | null;
  readonly nextTryAt: Date | null;
  readonly expiresAt: Date | null;
}

/** The name of the job that sends it. */
export const jobKeyOf = (project: { readonly ref: string }, id: string): string => `${project.ref}-${id}`;

/** Which message a job sends. */
export const messageOfJob = (key: string): string => key.slice(key.indexOf('-') + 1);

/** A code or link of it that has expired helps nobody. */
export const hasExpired = ({ expiresAt }: Pick<MessageRecord, 'expiresAt'>): boolean =>
  expiresAt !== null && expiresAt.getTime() < Date.now();

/** What is told of a message. */
export const shownRecord = (record: MessageRecord) => ({
  ...record,
  canRetry: record.status !== 'sent' && record.attempts > 0 && !hasExpired(record),
});
