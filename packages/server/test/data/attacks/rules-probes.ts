import type { Client } from '../../support/client.ts';

/** Every way a list can be made to depend on a field, with guesses on both sides of the secrets. */
export function probesOf(fields: readonly string[]): string[] {
  return fields.flatMap((field) => [
    `${field}=alpha-canary`,
    `${field}=9000`,
    `${field}__ne=omega-canary`,
    `${field}__ne=1`,
    `${field}__gt=m`,
    `${field}__gt=5`,
    `${field}__lte=${'l'.repeat(150)}`,
    `${field}__lt=2026-01-01`,
    `${field}__contains=canary`,
    `${field}__startswith=al`,
    `${field}__endswith=m`,
    `${field}__in=x,alpha-canary,1`,
    `${field}__notin=x,true,omega-canary`,
    `${field}__isnull=true`,
    `title__or__${field}__contains=canary`,
    `[or]nothing=1&[or]${field}__gt=m`,
    `[or:a]${field}__lt=m&[or:a]nothing=1&limit=1`,
    `${field}.deep__isnull=true`,
    `orderBy=${field}&limit=1`,
    `orderBy=${field}&order=desc&limit=1`,
    `orderBy=nothing,${field}&offset=1`,
    `orderBy=${field}.deep`,
    `select=${field}`,
    `select=${field}.deep`,
    `populate=${field}`,
    `populate=${field}.deep`,
  ]);
}

/** Cursors that name another's document, with what a service might complete from it. */
export async function forgedCursors(client: Client, firstPage: string, id: string): Promise<string[]> {
  const { body } = await client.get(firstPage);
  const [mark] = JSON.parse(Buffer.from(body.nextCursor, 'base64url').toString());
  const beginnings = ['', 'a', 'o', 'l'.repeat(100)].map((cut) => ({ cut }));
  return [...beginnings, null, {}, 'alpha', 5].map((value) =>
    Buffer.from(JSON.stringify([mark, id, value])).toString('base64url'),
  );
}
