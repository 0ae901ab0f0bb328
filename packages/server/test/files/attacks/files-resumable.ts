const base64 = (text: string | Buffer) => Buffer.from(text as string).toString('base64');

/** Upload-Metadata of some fields. */
export const metadata = (fields: Record<string, string | Buffer>): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name} ${base64(value)}`)
    .join(',');

/** Speaks tus by hand, also where a real client would not say such a thing. */
export class Resumable {
  readonly #url: string;
  readonly #credentials: Record<string, string>;

  constructor(url: string, credentials: Record<string, string>) {
    this.#url = url;
    this.#credentials = credentials;
  }

  call(
    method: string,
    location = '/storage/resumable',
    headers: Record<string, string> = {},
    body?: string | Buffer | ReadableStream,
  ): Promise<Response> {
    return fetch(`${this.#url}${location}`, {
      method,
      headers: { 'Tus-Resumable': '1.0.0', ...this.#credentials, ...headers },
      ...(body !== undefined && { body: body as string, duplex: 'half' }),
    });
  }

  /** Starts an upload: where it is to go. */
  async start(size: number, fields: Record<string, string>): Promise<string> {
    const answer = await this.create(String(size), metadata(fields));
    const location = answer.headers.get('location');
    if (answer.status !== 201 || location === null)
      throw new Error(`${answer.status} ${await answer.text()}`);
    return location;
  }

  create(length: string, metadata: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.call('POST', undefined, { 'Upload-Length': length, 'Upload-Metadata': metadata, ...headers });
  }

  send(
    location: string,
    offset: number | string,
    body: string | Buffer | ReadableStream,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const kind = { 'Upload-Offset': String(offset), 'Content-Type': 'application/offset+octet-stream' };
    return this.call('PATCH', location, { ...kind, ...headers }, body);
  }

  head = (location: string): Promise<Response> => this.call('HEAD', location);
  drop = (location: string): Promise<Response> => this.call('DELETE', location);
}

/** A body that is sent piece by piece. */
export function slowBody(): {
  body: ReadableStream;
  push: (text: string | Buffer) => void;
  end: () => void;
} {
  let controller!: ReadableStreamDefaultController;
  const body = new ReadableStream({
    start(given) {
      controller = given;
    },
  });
  return {
    body,
    push: (text) => controller.enqueue(Buffer.from(text as string)),
    end: () => controller.close(),
  };
}
