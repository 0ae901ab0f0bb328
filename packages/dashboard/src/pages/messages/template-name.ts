import { texts } from '../../texts.ts';

const names: Readonly<Record<string, readonly [string, string]>> = texts.messages.names;

export const nameOf = (template: string): string => names[template]?.[0] ?? template;

/** When it is sent. */
export const whenOf = (template: string): string => names[template]?.[1] ?? '';
