import { defineError } from '../../../platform/errors.ts';

export const mailNotConfigured = defineError(
  'mail_not_configured',
  () =>
    'The project cannot send email yet. Whoever runs the app must set up a mail server: see SMTP_URL, or plinth project set-mail.',
);
export const smsNotConfigured = defineError(
  'sms_not_configured',
  () =>
    'The project cannot send text messages yet. Whoever runs the app must set up a gateway: plinth project set-sms.',
);
export const messageNotFound = defineError(
  'message_not_found',
  (id: string) =>
    `There is no message "${id.slice(0, 100)}". They are kept for 30 days; list them: GET /messages.`,
);
export const messageWasSent = defineError(
  'message_not_retryable',
  () => 'This message was sent. If it did not arrive, check the log of the mail server or gateway.',
);
export const messageExpired = defineError(
  'message_not_retryable',
  () => 'The link or code in this message has expired. The user must request a new one.',
);
export const messageGone = defineError(
  'message_not_retryable',
  () => 'The content of this message is no longer stored, so it cannot be sent.',
);
export const receiverUnknown = defineError(
  'receiver_not_allowed',
  (to: string) =>
    `Through the service’s mail server, you can only write to users of the project and its test recipients, and ${to.slice(0, 100)} is neither. Set up a mail server for the project to write to anyone.`,
);
export const tooManyWritten = defineError('rate_limited', (to: string, most: number) => ({
  message: `${most} emails were sent to ${to.slice(0, 100)} within the last hour. Send the rest later, or combine them into one.`,
  headers: { 'Retry-After': '600' },
}));
