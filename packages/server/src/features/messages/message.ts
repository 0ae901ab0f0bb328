import type { TemplateName } from './templates.ts';

/** A message as it waits in the queue, sealed. */
export interface Message {
  readonly template: TemplateName;
  /** An e-mail address, or a phone number. */
  readonly to: string;
  /** What the template's placeholders stand for. */
  readonly variables: Readonly<Record<string, string>>;
  /** The Accept-Language of the call that caused it. */
  readonly languages: string;
  /** Not sent any more after this moment: a code that is past its time helps nobody. */
  readonly expiresAt?: number;
}
