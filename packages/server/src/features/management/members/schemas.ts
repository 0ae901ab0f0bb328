import { Type } from 'typebox';

const ref = Type.String({
  pattern: '^[a-z0-9]{12}$',
  description: 'The ref of the project.',
  examples: ['abcdefghijkl'],
});
export const refParams = Type.Object({ ref });
export const invitationParams = Type.Object({
  ref,
  id: Type.String({ format: 'uuid', description: 'The id of the invitation.' }),
});
export const byId = <Name extends string>(name: Name, description: string) =>
  Type.Object({ ref, [name]: Type.String({ format: 'uuid', description }) } as {
    ref: typeof ref;
  } & Record<Name, ReturnType<typeof Type.String>>);

export const email = Type.String({
  maxLength: 254,
  description: 'The email address to invite.',
  examples: ['ada@example.com'],
});
export const token = Type.String({ maxLength: 100, description: 'The token of the link.' });

const moment = (description: string) => Type.String({ format: 'date-time', description });

export const member = Type.Object({
  id: Type.String({ description: 'The id of the account.' }),
  email: Type.String({ description: 'The email address.', examples: ['ada@example.com'] }),
  name: Type.String({ description: 'Its name.', examples: ['Ada'] }),
  role: Type.Union([Type.Literal('owner'), Type.Literal('teammate')], {
    description: 'The role of the member.',
  }),
  since: moment('When it joined.'),
});

export const invitation = Type.Object({
  id: Type.String({ description: 'The id of the invitation.' }),
  email: Type.String({ description: 'The email address it was sent to.', examples: ['ada@example.com'] }),
  createdAt: moment('When it was created.'),
  expiresAt: moment('When its link expires.'),
});

export const madeInvitation = Type.Object({
  ...invitation.properties,
  link: Type.Optional(
    Type.String({
      description: 'Only if no email can be sent: share the link yourself.',
      examples: ['https://api.example.com/account/join?token=…'],
    }),
  ),
});

export const aboutInvitation = Type.Object({
  ...invitation.properties,
  project: Type.Object({
    ref: Type.String({ description: 'The ref of the project.', examples: ['abcdefghijkl'] }),
    name: Type.String({ description: 'Its name.', examples: ['Shop'] }),
  }),
  invitedBy: Type.Union([Type.String(), Type.Null()], {
    description: 'The email address of the person who invited you.',
    examples: ['grace@example.com'],
  }),
});
