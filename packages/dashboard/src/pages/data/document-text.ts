import { asError } from '../../as-error.ts';
import { texts } from '../../texts.ts';

const { data: words } = texts;

/** What somebody may change of a document. */
export function fieldsOf({
  id: _id,
  createdAt: _made,
  updatedAt: _changed,
  ...fields
}: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return fields;
}

export const emptyText = '{\n  \n}';

export const textOfFields = (document: Readonly<Record<string, unknown>>): string =>
  JSON.stringify(fieldsOf(document), null, 2);

interface Parsed {
  readonly fields?: Record<string, unknown>;
  readonly problem?: string;
}

/** What a text says, or what is wrong with it, and in which line. */
export function parseDocument(text: string): Parsed {
  try {
    const fields: unknown = JSON.parse(text);
    if (typeof fields !== 'object' || fields === null || Array.isArray(fields))
      return { problem: words.notAnObject };
    return { fields: fields as Record<string, unknown> };
  } catch (error) {
    return { problem: withLine(asError(error).message, text) };
  }
}

/** Browsers say where in different ways, and some not at all. */
function withLine(message: string, text: string): string {
  const said = /line (\d+)/.exec(message)?.[1];
  const position = /position (\d+)/.exec(message)?.[1];
  const reason = message
    .replace(/^JSON\.parse: |^JSON Parse error: /, '')
    .replace(/,? ?(in JSON )?at (position|line) .*$/s, '')
    .replace(/, "[\s\S]*$|, \.\.\."[\s\S]*$/, '');
  if (said !== undefined) return words.wrongAt(Number(said), reason);
  if (position !== undefined)
    return words.wrongAt(text.slice(0, Number(position)).split('\n').length, reason);
  return words.wrongAt(text.split('\n').length, reason);
}
