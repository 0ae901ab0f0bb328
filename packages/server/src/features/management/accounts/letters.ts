/** What mails to accounts say. */
export const letters = {
  verify: {
    subject: 'Confirm your email address for {{app_name}}',
    button: 'Confirm address',
    body: `Please confirm that {{email}} is your email address.

{{link}}

The link can be used once, within 24 hours. If you did not sign up, ignore this email.`,
  },
  reset: {
    subject: 'Choose a new password for {{app_name}}',
    button: 'Choose a new password',
    body: `We received a request to reset the password for {{email}}.

{{link}}

The link can be used once, within an hour. If you did not request this, ignore this email: your password will not change.`,
  },
  invitation: {
    variables: ['inviter', 'project'],
    subject: '{{inviter}} invited you to a project{{#project}}: {{project}}{{/project}}',
    button: 'See the invitation',
    body: `{{inviter}} has invited you to work on {{#project}}the project {{project}}{{/project}}{{^project}}a project{{/project}}. As a teammate you can use the dashboard, see its data and manage its collections.

{{link}}

The link can be used once, within 7 days, for {{email}}. If you do not have an account yet, you can create one there.`,
  },
  'subscriber-disabled': {
    variables: ['kind', 'project', 'reason', 'error'],
    subject: 'A {{kind}} of {{project}} was disabled',
    button: 'See what happened',
    body: `A {{kind}} of the project {{project}} was disabled: {{reason}}. The last error was: {{error}}

{{link}}

Waiting events are kept for 30 days and are sent when you enable it again. Events that occur in the meantime are not kept.`,
  },
} as const;
