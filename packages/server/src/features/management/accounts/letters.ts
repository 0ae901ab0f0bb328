/** What mails to accounts say. */
export const letters = {
  verify: {
    subject: 'Confirm your e-mail address for {{app_name}}',
    button: 'Confirm address',
    body: `Please confirm that {{email}} is your address.

{{link}}

The link works once, within 24 hours. If you did not sign up, ignore this mail.`,
  },
  reset: {
    subject: 'Choose a new password for {{app_name}}',
    button: 'Choose a new password',
    body: `We were asked for a new password for {{email}}.

{{link}}

The link works once, within an hour. If you did not ask for it, ignore this mail: your password stays as it is.`,
  },
  invitation: {
    variables: ['inviter', 'project'],
    subject: '{{inviter}} invites you to a project{{#project}}: {{project}}{{/project}}',
    button: 'See the invitation',
    body: `{{inviter}} invites you to work on {{#project}}the project {{project}}{{/project}}{{^project}}a project{{/project}}. As a teammate you can use the dashboard, see its data and manage its collections.

{{link}}

The link works once, within 7 days, for {{email}}. If you have no account yet, you can make one there.`,
  },
  'subscriber-disabled': {
    variables: ['kind', 'project', 'reason', 'error'],
    subject: 'A {{kind}} of {{project}} is told no more',
    button: 'See what happened',
    body: `A {{kind}} of the project {{project}} was disabled: {{reason}}. It said last: {{error}}

{{link}}

Events that have waited are kept for 30 days, and are sent when you enable it again. What happens meanwhile is not kept for it.`,
  },
} as const;
