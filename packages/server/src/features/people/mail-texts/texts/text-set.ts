import type { TemplateName, templates } from '../templates.ts';

interface Text {
  readonly subject: string;
  /** Paragraphs, with blank lines between them. */
  readonly body: string;
}

type TextOf<Name extends TemplateName> = Name extends 'sms-code'
  ? Pick<Text, 'body'>
  : (typeof templates)[Name] extends { readonly button: string }
    ? Text & { readonly button: string }
    : Text;

/** All that is said in one language. */
export interface TextSet {
  readonly templates: { readonly [Name in TemplateName]: TextOf<Name> };
  /** Above the address that is written out below a button. */
  readonly buttonHint: string;
  /** Who sends the mail, and why. */
  readonly footer: string;
}
