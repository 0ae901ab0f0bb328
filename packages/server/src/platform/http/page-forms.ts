import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { bodyNeitherJsonNorForm, bodyNotJson, bodyTooLarge, invalidBody, isBrokenOff } from './errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body is text, of any kind that is not JSON. */
    takesText?: boolean;
    /** The body is what a browser sends for a form of a page: text fields, small, each once. */
    takesFields?: boolean;
  }
}

/** The fields of a form, or the parameters of an address, by name. */
export type PageFields = ReadonlyMap<string, string>;

export const pageFormLimit = 16_384;
const maxFields = 50;

/** Reads the forms of pages. Routes that did not ask for one refuse it, like any other body that is not theirs. */
export function takeFields(app: Pick<FastifyInstance, 'addContentTypeParser'>): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    async (request: FastifyRequest, payload: IncomingMessage): Promise<PageFields | string> => {
      const { takesText, takesFields, readForm } = request.routeOptions.config;
      if (takesText) return readText(payload, request.routeOptions.bodyLimit);
      if (!takesFields) throw readForm ? bodyNeitherJsonNorForm() : bodyNotJson();
      return readFields(await readText(payload, pageFormLimit));
    },
  );
}

/** Takes `a=1&b=2` apart; refuses names that are there twice, and what is not text. */
export function readFields(text: string): PageFields {
  const fields = new Map<string, string>();
  for (const piece of text.split('&')) {
    if (piece === '') continue;
    const valueAt = piece.indexOf('=');
    const name = decoded(valueAt === -1 ? piece : piece.slice(0, valueAt));
    if (fields.has(name)) throw invalidBody(`"${name.slice(0, 100)}" appears twice.`);
    if (fields.size === maxFields) throw invalidBody(`There are more than ${maxFields} fields.`);
    fields.set(name, valueAt === -1 ? '' : decoded(piece.slice(valueAt + 1)));
  }
  return fields;
}

function decoded(piece: string): string {
  let text: string;
  try {
    text = decodeURIComponent(piece.replaceAll('+', ' '));
  } catch {
    throw invalidBody('A field is not UTF-8.');
  }
  if (text.includes('\0')) throw invalidBody('A field contains a NUL character.');
  return text;
}

/** The body as text, if it has not more bytes. */
export async function readText(payload: Readable, most: number): Promise<string> {
  // A body that is too large is left unread, not cut off, so that the caller sees the answer.
  const pieces: AsyncIterable<Buffer> = payload.iterator({ destroyOnReturn: false });
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of pieces) {
      size += chunk.length;
      if (size > most) throw bodyTooLarge(`${most / 1024} KB`);
      chunks.push(chunk);
    }
    return utf8.decode(Buffer.concat(chunks));
  } catch (error) {
    if (isBrokenOff(error)) throw invalidBody('The body is incomplete.');
    throw error instanceof TypeError ? invalidBody('The body is not UTF-8.') : error;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });
