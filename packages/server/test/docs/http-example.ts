import { expect } from 'vitest';
import type { Client } from '../support/client.ts';
import type { Block } from './markdown.ts';

/**
 * One call as the pages write it in an `http` block: the request line, headers, after an empty line the JSON body,
 * then `=> status` with a part of the answer, and headers it must have. `<name>` as an expected value keeps the
 * value that came; later blocks use it. The API key is sent unless the block starts with `# without a key`.
 */
interface Example {
  readonly hasKey: boolean;
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
  readonly status: number;
  readonly answer: unknown;
  readonly answerHeaders: Record<string, string>;
}

export type Kept = Map<string, string>;

export async function runExample(
  clients: { api: Client; anonymous: Client },
  block: Block,
  kept: Kept,
): Promise<void> {
  const example = parseExample(fill(block.text, kept));
  const client = example.hasKey ? clients.api : clients.anonymous;
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

function parseExample(text: string): Example {
  const [title = '', ...untitled] = text.split('\n');
  const hasKey = title !== '# without a key';
  const lines = hasKey ? [title, ...untitled] : untitled;
  const arrow = lines.findIndex((line) => line.startsWith('=>'));
  const [first = '', ...request] = lines.slice(0, arrow);
  const [, method, path] = /^(GET|POST|PATCH|PUT|DELETE) (\S.*)$/.exec(first) ?? [];
  const [, status, answer] = /^=> (\d{3})(?: (.+))?$/.exec(lines[arrow] ?? '') ?? [];
  if (!method || !path || !status) throw new Error(`Not an example:\n${text}`);
  const gap = request.indexOf('');
  const body = gap === -1 ? '' : request.slice(gap).join('\n').trim();
  return {
    hasKey,
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
function fill(text: string, kept: Kept): string {
  return text.replaceAll(/<([a-z][a-z-]*)>/g, (whole, name: string) => kept.get(name) ?? whole);
}

/** Does the answer hold what the page says? */
export function expectPart(actual: unknown, expected: unknown, kept: Kept = new Map()): void {
  keep(actual, expected, kept);
  expect(actual).toMatchObject(JSON.parse(fill(JSON.stringify(expected), kept)) as object);
}

function keep(actual: unknown, expected: unknown, kept: Kept): void {
  if (typeof expected === 'string') {
    const name = /^<([a-z][a-z-]*)>$/.exec(expected)?.[1];
    if (name !== undefined && !kept.has(name)) kept.set(name, String(actual));
  } else if (typeof expected === 'object' && expected !== null) {
    for (const [key, part] of Object.entries(expected)) {
      keep((actual as Record<string, unknown> | undefined)?.[key], part, kept);
    }
  }
}
