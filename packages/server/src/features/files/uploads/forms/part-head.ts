import { parse as parseDisposition } from 'content-disposition';
import { invalidBody } from '../../../../platform/http/errors.ts';

/** What a part of a form says of itself. */
export interface PartHead {
  readonly field: string;
  /** Of a file; empty for a file input in which nothing was chosen. */
  readonly fileName: string | undefined;
}

/** Reads the head of a part; refuses one that does not say what the part is. */
export function readPartHead(lines: Readonly<Record<string, readonly string[]>>): PartHead {
  const [disposition, ...others] = lines['content-disposition'] ?? [];
  if (disposition === undefined || others.length > 0)
    throw invalidBody('A part of the form does not have exactly one Content-Disposition header.');
  // The parser returns each byte as a character; browsers write UTF-8.
  const text = Buffer.from(disposition, 'latin1').toString('utf8');
  const { type, parameters } = parseDisposition(text, { multipart: true });
  const { name: field, filename: fileName } = parameters;
  if (type !== 'form-data' || !field) throw invalidBody('A part of the form has no name.');
  if (field.length > 256 || /[\r\n]/.test(field)) {
    throw invalidBody('A part of the form has a name that is not a valid field name.');
  }
  // A file input in which nothing was chosen has no name, or an empty one.
  const isBytes = lines['content-type']?.[0]?.startsWith('application/octet-stream') === true;
  return { field, fileName: fileName ?? (isBytes ? '' : undefined) };
}
