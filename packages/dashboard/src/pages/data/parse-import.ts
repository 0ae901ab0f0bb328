import { asError } from '../../as-error.ts';
import { texts } from '../../texts.ts';
import { isObject, pathOf } from './columns.ts';
import { typedValue } from './typed-value.ts';

const { data: words } = texts;

type Form = 'JSON' | 'NDJSON' | 'CSV' | 'TSV';
type Fields = Readonly<Record<string, unknown>>;

/** What a text holds, or why it holds no documents. */
export type Import =
  | { readonly form: Form; readonly documents: readonly Fields[] }
  | { readonly problem: string };

/** Reads JSON, JSON by lines, or a table with the names of its fields in the first line. */
export function parseImport(text: string): Import {
  const trimmed = text.replace(/^\uFEFF/, '').trim();
  if (trimmed === '') return { problem: words.importEmpty };
  if (/^[[{]/.test(trimmed)) return parseJson(trimmed);
  const [first = ''] = trimmed.split(/\r?\n/, 1);
  const separator = separatorOf(first);
  const [names = [], ...lines] = parseTable(trimmed, separator);
  if (lines.length === 0) return { problem: words.importNothing };
  return { form: separator === '\t' ? 'TSV' : 'CSV', documents: lines.map((line) => fromLine(names, line)) };
}

function parseJson(text: string): Import {
  try {
    const value: unknown = JSON.parse(text);
    return checked('JSON', Array.isArray(value) ? value : [value]);
  } catch (error) {
    const lines = text.split(/\r?\n/);
    if (lines.length < 2 || !/^\{.*\}\s*$/.test(lines[0] ?? '')) return { problem: asError(error).message };
    return parseLines(lines);
  }
}

function parseLines(lines: readonly string[]): Import {
  const values: unknown[] = [];
  for (const [n, line] of lines.entries())
    try {
      if (line.trim() !== '') values.push(JSON.parse(line));
    } catch (error) {
      return { problem: words.importLine(n + 1, asError(error).message) };
    }
  return checked('NDJSON', values);
}

function checked(form: Form, values: readonly unknown[]): Import {
  const wrong = values.findIndex((value) => !isObject(value));
  if (wrong !== -1) return { problem: words.importNotAnObject(wrong + 1) };
  return values.length === 0 ? { problem: words.importEmpty } : { form, documents: values as Fields[] };
}

/** The one that the first line has most of. */
export function separatorOf(line: string): string {
  const counted = ['\t', ',', ';'].map((mark) => ({ mark, count: line.split(mark).length }));
  return counted.toSorted((a, b) => b.count - a.count)[0]?.mark ?? ',';
}

/** A table as spreadsheets write it: quotes around what has separators or lines in it. */
export function parseTable(text: string, separator: string): string[][] {
  const lines: string[][] = [];
  let line: string[] = [];
  let at = 0;
  while (at <= text.length) {
    const { value, end } = cellAt(text, at, separator);
    line.push(value);
    if (text[end] !== separator) {
      lines.push(line);
      line = [];
    }
    at = end + (text[end] === '\r' && text[end + 1] === '\n' ? 2 : 1);
  }
  return lines.filter((cells) => cells.some((cell) => cell !== ''));
}

function cellAt(text: string, at: number, separator: string): { value: string; end: number } {
  if (text[at] !== '"') {
    let end = at;
    while (end < text.length && text[end] !== separator && text[end] !== '\n' && text[end] !== '\r') end++;
    return { value: text.slice(at, end), end };
  }
  let close = text.indexOf('"', at + 1);
  while (close !== -1 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
  const end = close === -1 ? text.length : close + 1;
  return { value: text.slice(at + 1, close === -1 ? end : close).replaceAll('""', '"'), end };
}

/** A document of one line. Empty cells are fields that are not there; `shelf.row` is a field inside an object. */
function fromLine(names: readonly string[], cells: readonly string[]): Fields {
  const fields: Record<string, unknown> = {};
  for (const [n, name] of names.entries()) {
    const cell = cells[n] ?? '';
    if (cell !== '' && name.trim() !== '') put(fields, pathOf(name.trim()), typedValue(cell));
  }
  return fields;
}

/** Names that would reach into every object of the page; the service refuses them too. */
const forbidden = new Set(['__proto__', 'constructor', 'prototype']);

function put(fields: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [name = '', ...rest] = path;
  if (forbidden.has(name)) return;
  if (rest.length === 0) {
    fields[name] = value;
    return;
  }
  const inner = isObject(fields[name]) ? { ...fields[name] } : {};
  put(inner, rest, value);
  fields[name] = inner;
}
