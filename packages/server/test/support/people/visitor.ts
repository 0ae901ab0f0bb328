import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { expect } from 'vitest';

/** A page as it came, taken apart as far as tests look into it. */
export interface ShownPage {
  readonly url: string;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly title: string;
  readonly heading: string;
  readonly language: string;
  /** The alert, if the page shows a mistake. */
  readonly problem: string | undefined;
}

interface Sending {
  readonly headers?: Record<string, string>;
  /** The text of the button, where the form has more than one. */
  readonly button?: string;
}

/** Somebody with a browser that runs no script: opens pages and sends their forms. */
export class Visitor {
  readonly #base: string;
  readonly #headers: Record<string, string>;

  /** At the address of a project. */
  constructor(base: string, headers: Record<string, string> = {}) {
    this.#base = base;
    this.#headers = headers;
  }

  /** Opens a page of the project by its name, or any address. */
  async open(
    page: string,
    { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
  ): Promise<ShownPage> {
    const url = page.startsWith('http') ? page : `${this.#base}/auth-collections/${page}`;
    const sent = { ...this.#headers, 'sec-fetch-site': 'none', ...headers };
    return call(url, method, sent);
  }

  /** Fills in the form of a page and sends it, as the page itself would. */
  async send(
    page: ShownPage,
    fields: Record<string, string> = {},
    sending: Sending = {},
  ): Promise<ShownPage> {
    const form = formIn(page.text);
    const button = sending.button === undefined ? '' : buttonIn(form, sending.button);
    const action = attribute(button, 'formaction') ?? attribute(form, 'action');
    const url = new URL(unescaped(action!), page.url);
    const body = new URLSearchParams({ ...hiddenIn(form), ...fields });
    return this.post(url.href, body.toString(), sending.headers);
  }

  /** Sends a form that no page is needed for. */
  async post(page: string, body: string, headers: Record<string, string> = {}): Promise<ShownPage> {
    const url = page.startsWith('http') ? page : `${this.#base}/auth-collections/${page}`;
    const sent = {
      ...this.#headers,
      'sec-fetch-site': 'same-origin',
      origin: new URL(url).origin,
      'content-type': 'application/x-www-form-urlencoded',
      ...headers,
    };
    const present = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== ''));
    return call(url, 'POST', present, body);
  }
}

/** Not `fetch`: that would not let the Host header be chosen. */
async function call(
  url: string,
  method: string,
  headers: Record<string, string>,
  body = '',
): Promise<ShownPage> {
  const sending = request(url, { method, headers: { ...headers, 'content-length': body.length } });
  sending.end(body);
  const [response] = (await once(sending, 'response')) as [IncomingMessage];
  const text = await textOf(response);
  const inside = (pattern: RegExp) => unescaped(pattern.exec(text)?.[1] ?? '').trim();
  const problem = inside(/role="alert">([^<]*)</);
  return {
    url,
    status: response.statusCode!,
    headers: response.headers,
    text,
    title: inside(/<title>([^<]*)</),
    heading: inside(/<h1>([^<]*)</),
    language: inside(/<html lang="([^"]*)"/),
    problem: problem === '' ? undefined : problem,
  };
}

const formIn = (text: string): string => {
  const form = /<form[\s\S]*?<\/form>/.exec(text)?.[0];
  expect(form, text).toBeDefined();
  return form!;
};

const buttonIn = (form: string, text: string): string =>
  (form.match(/<button[\s\S]*?<\/button>/g) ?? []).find((button) => button.includes(`>${text}<`))!;

const attribute = (markup: string, name: string): string | undefined =>
  new RegExp(`^<[^>]* ${name}="([^"]*)"`).exec(markup)?.[1];

/** What a form carries along unseen. */
export function hiddenIn(text: string): Record<string, string> {
  const inputs = text.match(/<input type="hidden"[^>]*>/g) ?? [];
  return Object.fromEntries(
    inputs.map((input) => [attribute(input, 'name')!, unescaped(attribute(input, 'value')!)]),
  );
}

function unescaped(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

/** The app that a sign-in leads back to: an origin of its own, which shows where it was called. */
export async function startApp(): Promise<{ origin: string } & AsyncDisposable> {
  const server = createServer((_request, response) => {
    response
      .writeHead(200, { 'Content-Type': 'text/html' })
      .end('<!doctype html><html lang="en"><title>The app</title><h1>Welcome back</h1></html>');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    origin: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
