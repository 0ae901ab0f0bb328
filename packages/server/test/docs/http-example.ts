import { expect } from 'vitest';
import { Client } from '../support/client.ts';
import type { Block } from './markdown.ts';

/**
 * One call as the pages write it in an `http` block: who calls, the request line, headers, after an empty line the
 * JSON body, then `=> status` with a part of the answer, and headers it must have.
 *
 * Who calls: `# as server` (the API key; also when nothing is said), `# as anonymous`, `# as ada` (the token kept as
 * `ada-token`), `# as server and ada` (both).
 *
 * `<name>` as an expected value keeps the value that came, and later blocks use it; `<new name>` keeps another one in
 * its place. `<absent>` stands for a field that must not be there.
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

function credentialsOf(as: string, apiKey: string, kept: Kept): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of as.split(' and ')) {
    if (name === 'server') headers['x-api-key'] = apiKey;
    else if (name !== 'anonymous') {
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

/** Does the answer hold what the page says? */
export function expectPart(actual: unknown, expected: unknown, kept: Kept = new Map()): void {
  keep(actual, expected, kept);
  const known = JSON.stringify(expected).replaceAll(/<new ([a-z-]+)>/g, '<$1>');
  const present = (_key: string, value: unknown) => (value === absent ? undefined : value);
  expect(actual).toMatchObject(JSON.parse(fill(known, kept), present) as object);
}

const absent = '<absent>';

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
