import { expect } from 'vitest';
import { Client } from './client.ts';
import type { Block } from './markdown.ts';

/**
 * One call as the pages write it in an `http` block: who calls, the request line, headers, after an empty line the
 * JSON body, then `=> status` with a part of the answer, and headers it must have.
 *
 * Who calls: `# as server` (the API key; also when nothing is said), `# as anonymous`, `# as ada` (the token kept as
 * `ada-token`), `# as server and ada` (both), `# as dashboard` (the session kept as `dashboard-cookie`).
 *
 * `<name>` as an expected value keeps the value that came, and later blocks use it; `<new name>` keeps another one in
 * its place. `<absent>` stands for a field that must not be there, `…` at the end of a list for more items.
 */
interface Example {
  readonly as: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
  readonly status: number;
  readonly answer: unknown;
  readonly answerHeaders: Record<string, string>;
}

export type Kept = Map<string, string>;

/** Where examples are sent, and the key that makes a call the server's. */
export interface Target {
  readonly base: string;
  readonly apiKey: string;
}

export async function runExample(target: Target, block: Block, kept: Kept): Promise<void> {
  const example = parseExample(fill(block.text, kept));
  const client = new Client(target.base, credentialsOf(example.as, target.apiKey, kept));
  const reply = await client.call(example.method, example.path, undefined, {
    headers: example.headers,
    ...(example.body !== undefined && { raw: example.body }),
  });
  expect(reply.status, reply.text).toBe(example.status);
  if (example.answer !== undefined) expectPart(reply.body, example.answer, kept);
  for (const [name, value] of Object.entries(example.answerHeaders)) {
    expect(reply.headers.get(name), name).toBe(value);
  }
}

export function credentialsOf(as: string, apiKey: string, kept: Kept): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of as.split(' and ')) {
    if (name === 'server') headers['x-api-key'] = apiKey;
    else if (name.endsWith('dashboard')) {
      headers.cookie = kept.get(`${name}-cookie`) ?? '';
      headers['x-plinth-dashboard'] = '1';
    } else if (name !== 'anonymous') {
      const token = kept.get(`${name}-token`);
      if (token === undefined) throw new Error(`No earlier answer gave <${name}-token>.`);
      headers.authorization = `Bearer ${token}`;
    }
  }
  return headers;
}

function parseExample(text: string): Example {
  const [title = '', ...untitled] = text.split('\n');
  const as = /^# as ([a-z-]+(?: and [a-z-]+)?)$/.exec(title)?.[1];
  const lines = as === undefined ? [title, ...untitled] : untitled;
  const arrow = lines.findIndex((line) => line.startsWith('=>'));
  const [first = '', ...request] = lines.slice(0, arrow);
  const [, method, path] = /^(GET|POST|PATCH|PUT|DELETE) (\S.*)$/.exec(first) ?? [];
  const [, status, answer] = /^=> (\d{3})(?: (.+))?$/.exec(lines[arrow] ?? '') ?? [];
  if (!method || !path || !status) throw new Error(`Not an example:\n${text}`);
  const gap = request.indexOf('');
  const body = gap === -1 ? '' : request.slice(gap).join('\n').trim();
  return {
    as: as ?? 'server',
    method,
    path,
    headers: headersOf(gap === -1 ? request : request.slice(0, gap)),
    body: body === '' ? undefined : body,
    status: Number(status),
    answer: answer === undefined ? undefined : JSON.parse(answer),
    answerHeaders: headersOf(lines.slice(arrow + 1).filter((line) => line !== '')),
  };
}

function headersOf(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => {
      const [, name, value] = /^([A-Za-z-]+): (.*)$/.exec(line) ?? [];
      if (!name) throw new Error(`Not a header: ${line}`);
      return [name, value!];
    }),
  );
}

/** Puts kept values in; a name not kept yet stays, to be met in the answer. */
export function fill(text: string, kept: Kept): string {
  return text.replaceAll(/<([a-z][a-z-]*)>/g, (whole, name: string) => kept.get(name) ?? whole);
}

/**
 * Finds the lines that the page shows in a text, one after the other. `…` stands for anything; `<name>` keeps the word
 * that is there.
 */
export function keepFrom(text: string, shown: readonly string[], kept: Kept): void {
  let rest = text;
  for (const line of shown) {
    const names: string[] = [];
    const pattern = line.split(/(…|<[a-z][a-z-]*>)/).map((part) => {
      if (part === '…') return '.*';
      const name = /^<([a-z][a-z-]*)>$/.exec(part)?.[1];
      if (name === undefined || kept.has(name)) return literally(kept.get(name ?? '') ?? part);
      names.push(name);
      return '([^\\s&]+)';
    });
    const found = new RegExp(`^${pattern.join('')}$`, 'm').exec(rest);
    expect(found, `"${line}" in:\n${text}`).not.toBeNull();
    for (const [at, name] of names.entries()) kept.set(name, found![at + 1]!);
    rest = rest.slice(found!.index + found![0].length);
  }
}

const literally = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);

/** Does the answer hold what the page says? */
export function expectPart(actual: unknown, expected: unknown, kept: Kept = new Map()): void {
  keep(actual, expected, kept);
  const known = JSON.stringify(expected).replaceAll(/<new ([a-z-]+)>/g, '<$1>');
  const present = (_key: string, value: unknown) => (value === absent ? undefined : value);
  const wanted = JSON.parse(fill(known, kept), present) as object;
  expect(shortened(actual, wanted)).toMatchObject(wanted);
}

const absent = '<absent>';
const andSoOn = '…';

/** What there is, without the rest of lists that the page shows the beginning of: `["first", "…"]`. */
function shortened(actual: unknown, shown: unknown): unknown {
  if (Array.isArray(actual) && Array.isArray(shown)) {
    const isBeginning = shown.at(-1) === andSoOn && actual.length >= shown.length;
    const items = isBeginning ? [...(actual as unknown[]).slice(0, shown.length - 1), andSoOn] : actual;
    return items.map((item, at) => shortened(item, shown[at]));
  }
  if (typeof actual !== 'object' || actual === null || typeof shown !== 'object' || shown === null)
    return actual;
  const parts = shown as Record<string, unknown>;
  return Object.fromEntries(Object.entries(actual).map(([key, item]) => [key, shortened(item, parts[key])]));
}

function keep(actual: unknown, expected: unknown, kept: Kept): void {
  if (expected === absent) expect(actual, 'what is absent').toBeUndefined();
  else if (typeof expected === 'string') {
    const [, isNew, name] = /^<(new )?([a-z][a-z-]*)>$/.exec(expected) ?? [];
    if (name === undefined) return;
    if (isNew) expect(actual, `a new ${name}`).not.toBe(kept.get(name));
    if (isNew || !kept.has(name)) kept.set(name, String(actual));
  } else if (typeof expected === 'object' && expected !== null) {
    for (const [key, part] of Object.entries(expected)) {
      keep((actual as Record<string, unknown> | undefined)?.[key], part, kept);
    }
  }
}
