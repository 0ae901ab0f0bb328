import { defineError } from '../../../platform/errors.ts';

export const mailNotConfigured = defineError(
  'mail_not_configured',
  () =>
    'The project cannot send mail yet. Whoever runs the app sets a mail server: see SMTP_URL, or plinth project set-mail.',
);
export const smsNotConfigured = defineError(
  'sms_not_configured',
  () =>
    'The project cannot send text messages yet. Whoever runs the app sets a gateway: plinth project set-sms.',
);
export const messageNotFound = defineError(
  'message_not_found',
  (id: string) =>
    `There is no message "${id.slice(0, 100)}". They are kept for 30 days; list them: GET /messages.`,
);
export const messageWasSent = defineError(
  'message_not_retryable',
  () => 'This message was sent. If it did not arrive, look into the log of the mail server or gateway.',
);
export const messageExpired = defineError(
  'message_not_retryable',
  () => 'The link or code of this message has expired. The user has to ask for a new one.',
);
export const messageGone = defineError(
  'message_not_retryable',
  () => 'Nothing is left of this message that could be sent.',
);
export const receiverUnknown = defineError(
  'receiver_not_allowed',
  (to: string) =>
    `Through the mail server of the service you can write to users of the project and to its receivers of test mails, and ${to.slice(0, 100)} is neither. Give the project a mail server of its own to write to everybody.`,
);
export const tooManyWritten = defineError('rate_limited', (to: string, most: number) => ({
  message: `${most} mails went to ${to.slice(0, 100)} within the hour. Send the rest later, or put them into one.`,
  headers: { 'Retry-After': '600' },
}));
