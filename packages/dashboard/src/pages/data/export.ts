import { type Column, type Row, valueAt } from './columns.ts';
import { plainText } from './typed-value.ts';

export type ExportForm = 'ndjson' | 'csv';

/** Where the browser cannot write to a file itself, all of it is in memory first. */
export const largestInMemory = 200_000_000;

/** Formulas are text to a spreadsheet only with a mark in front of them. */
const forCsv = (value: unknown): string => {
  const text = plainText(value);
  const isFormula = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) && !/^[+-][\d\s().-]*$/.test(text);
  const safe = isFormula ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

export const headOf = (form: ExportForm, columns: readonly Column[]): string =>
  form === 'csv' ? `${columns.map(({ field }) => forCsv(field)).join(',')}\r\n` : '';

export const lineOf = (form: ExportForm, row: Row, columns: readonly Column[]): string =>
  form === 'csv'
    ? `${columns.map(({ path }) => forCsv(valueAt(row, path))).join(',')}\r\n`
    : `${JSON.stringify(row)}\n`;

/** Takes text, and makes a file of it. */
export interface Target {
  readonly write: (text: string) => Promise<void>;
  readonly end: () => Promise<void>;
  readonly drop: () => Promise<void>;
}

interface FileHandle {
  readonly createWritable: () => Promise<{
    write(text: string): Promise<void>;
    close(): Promise<void>;
    abort(): Promise<void>;
  }>;
}

type Picker = (options: { readonly suggestedName: string }) => Promise<FileHandle>;

export class TooLarge extends Error {}

/** A file that is written as it comes, where the browser can; else a download. Undefined: nobody chose one. */
export async function openTarget(name: string): Promise<Target | undefined> {
  const { showSaveFilePicker: pick } = window as { readonly showSaveFilePicker?: Picker };
  if (!pick) return inMemory(name);
  try {
    const stream = await (await pick({ suggestedName: name })).createWritable();
    return {
      write: (text) => stream.write(text),
      end: () => stream.close(),
      drop: () => stream.abort(),
    };
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined;
    return inMemory(name);
  }
}

function inMemory(name: string): Target {
  const parts: Blob[] = [];
  let bytes = 0;
  return {
    async write(text) {
      const part = new Blob([text]);
      bytes += part.size;
      if (bytes > largestInMemory) throw new TooLarge();
      parts.push(part);
    },
    async end() {
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob(parts));
      link.download = name;
      link.click();
      // After the browser has taken it.
      setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    },
    async drop() {
      parts.length = 0;
    },
  };
}
