import { type Static, Type } from 'typebox';
import { templateNames } from '../mail-texts/index.ts';

/** A message as it waits in the queue, sealed. */
export const messageSchema = Type.Object({
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

export type Message = Static<typeof messageSchema>;

/** Messages hold codes and links: they are sealed for this place, and can be opened only as messages. */
export const messagePlace = (projectId: string) => `message of project ${projectId}`;
