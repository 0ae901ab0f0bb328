import type { Client, Reply } from '../client.ts';

/** A file of a form. */
export interface FormFile {
  readonly name: string;
  readonly content: Buffer | string;
}

export type Part = readonly [name: string, value: string | FormFile];

export const file = (name: string, content: Buffer | string): FormFile => ({ name, content });

/** Calls with a multipart body. */
export async function sendForm(
  client: Client,
  method: 'POST' | 'PATCH' | 'PUT',
  path: string,
  parts: readonly Part[],
  headers: Record<string, string> = {},
): Promise<Reply> {
  const form = new FormData();
  for (const [name, value] of parts) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, new Blob([new Uint8Array(Buffer.from(value.content as string))]), value.name);
  }
  const encoded = new Response(form);
  return client.call(method, path, undefined, {
    raw: Buffer.from(await encoded.arrayBuffer()),
    headers: { 'content-type': encoded.headers.get('content-type')!, ...headers },
  });
}

/** Uploads one file. */
export const upload = (
  client: Client,
  name: string,
  content: Buffer | string,
  fields: Record<string, string> = {},
): Promise<Reply> =>
  sendForm(client, 'POST', '/storage/upload', [['file', file(name, content)], ...Object.entries(fields)]);
