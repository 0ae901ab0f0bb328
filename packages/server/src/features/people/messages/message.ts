import { type Static, Type } from 'typebox';
import { templateNames } from '../mail-texts/index.ts';

/** One of the service's own messages. */
const templateMessage = Type.Object({
  template: Type.Enum(templateNames),
  /** An e-mail address, or a phone number. */
  to: Type.String(),
  /** What the template's placeholders stand for. */
  variables: Type.Record(Type.String(), Type.String()),
  /** The Accept-Language of the call that caused it. */
  languages: Type.String(),
  /** After this moment it is not sent any more: a code that has expired helps nobody. */
  expiresAt: Type.Optional(Type.Number()),
});

/** A mail whose words the project's code has written. */
const writtenMail = Type.Object({
  to: Type.String(),
  written: Type.Object({ subject: Type.String(), text: Type.String(), html: Type.Optional(Type.String()) }),
});

/** A message as it waits in the queue, sealed. */
export const messageSchema = Type.Union([templateMessage, writtenMail]);

export type Message = Static<typeof templateMessage>;
export type WrittenMail = Static<typeof writtenMail>;
export type QueuedMessage = Message | WrittenMail;

/** Messages hold codes and links: they are sealed for this place, and can be opened only as messages. */
export const messagePlace = (projectId: string) => `message of project ${projectId}`;
