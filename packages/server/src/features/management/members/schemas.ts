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
  description: 'Whom to invite.',
  examples: ['ada@example.com'],
});
export const token = Type.String({ maxLength: 100, description: 'What the link carries.' });

const moment = (description: string) => Type.String({ format: 'date-time', description });

export const member = Type.Object({
  id: Type.String({ description: 'The account.' }),
  email: Type.String({ description: 'Its e-mail address.', examples: ['ada@example.com'] }),
  name: Type.String({ description: 'Its name.', examples: ['Ada'] }),
  role: Type.Union([Type.Literal('owner'), Type.Literal('teammate')], { description: 'What it may.' }),
  since: moment('When it joined.'),
});

export const invitation = Type.Object({
  id: Type.String({ description: 'The invitation.' }),
  email: Type.String({ description: 'Whom it is for.', examples: ['ada@example.com'] }),
  createdAt: moment('When it was made.'),
  expiresAt: moment('When its link stops working.'),
});

export const madeInvitation = Type.Object({
  ...invitation.properties,
  link: Type.Optional(
    Type.String({
      description: 'Only where no mail is sent: pass it on yourself.',
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
    description: 'The e-mail address of whoever invites.',
    examples: ['grace@example.com'],
  }),
});
