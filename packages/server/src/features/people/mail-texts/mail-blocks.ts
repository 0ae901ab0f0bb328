import type { TemplateValues } from './template-values.ts';

/** A paragraph as it will be seen; all but text are one line. */
export interface Block {
  readonly kind: 'text' | 'button' | 'address' | 'code';
  readonly lines: readonly string[];
}

interface Filling {
  readonly values: TemplateValues;
  /** Puts the values into a text, as they are. */
  readonly fill: (text: string) => string;
  /** The address that becomes a button. */
  readonly button: string | undefined;
}

const placeholderAlone = /^\{\{\s*(\w+)\s*\}\}$/;
const addresses = ['link', 'login_url', 'frontend_url'];

/** The paragraphs of a body. What they are is decided before values are filled in, so that no value decides it. */
export function blocksOf(body: string, filling: Filling): Block[] {
  return paragraphsOf(body)
    .map((paragraph) => blockOf(paragraph, filling))
    .filter(({ lines }) => lines.length > 0);
}

/** Paragraphs are what blank lines separate. */
export function paragraphsOf(body: string): string[] {
  return body.replaceAll(/\r\n?/g, '\n').split(/\n[^\S\n]*\n/);
}

function blockOf(paragraph: string, { values, fill, button }: Filling): Block {
  const alone = placeholderAlone.exec(paragraph.trim())?.[1] ?? '';
  const value = values[alone];
  if (value && alone === 'code') return { kind: 'code', lines: [value] };
  if (value && addresses.includes(alone)) {
    return { kind: alone === button ? 'button' : 'address', lines: [value] };
  }
  const lines = fill(paragraph)
    .split('\n')
    .map((line) => line.trim());
  return { kind: 'text', lines: lines.filter(Boolean) };
}
