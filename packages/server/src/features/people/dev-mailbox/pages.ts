import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../../platform/errors.ts';
import { isFromThisMachine } from '../../../platform/http/from-this-machine.ts';
import { type Html, html } from '../../../platform/http/html.ts';
import type { HttpServer } from '../../../platform/http/server.ts';
import { type ListedMessage, listKept } from './mail-folder.ts';

const style = `
:root { color-scheme: light dark; --line: #8884; --muted: #666; --mark: #8881; }
@media (prefers-color-scheme: dark) { :root { --muted: #aaa; } }
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; display: grid; grid-template-columns: minmax(16rem, 24rem) 1fr; min-height: 100vh; }
nav { border-right: 1px solid var(--line); }
h1 { font-size: 1.1rem; margin: 0; padding: 1rem; }
ol { list-style: none; margin: 0; padding: 0; }
h1 a { color: inherit; text-decoration: none; }
ol a { display: block; padding: .75rem 1rem; border-top: 1px solid var(--line); color: inherit; text-decoration: none; overflow-wrap: anywhere; }
ol a:hover, ol a[aria-current] { background: var(--mark); }
.small { color: var(--muted); font-size: .875rem; }
main { padding: 1rem 1.5rem; min-width: 0; }
main h2 { margin: 0 0 .5rem; font-size: 1.25rem; overflow-wrap: anywhere; }
iframe { width: 100%; height: 70vh; border: 1px solid var(--line); border-radius: .5rem; background: #fff; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; padding: 1rem; border: 1px solid var(--line); border-radius: .5rem; }
@media (max-width: 45rem) {
  body { grid-template-columns: 1fr; align-content: start; }
  nav { border-right: 0; border-bottom: 1px solid var(--line); }
  body:has([aria-current]) main { order: -1; }
  main { padding: 1rem; }
}
`;
const styleHash = `sha256-${createHash('sha256').update(style).digest('base64')}`;

interface Named {
  readonly Params: { readonly name: string };
}

/** The messages of `plinth dev`, which are kept instead of sent. Only for this machine. */
export function addDevMailbox(app: HttpServer, folder: string): void {
  const open = { config: { access: 'open' }, onRequest: requireLocal } as const;
  app.get('/dev/mail', open, async (_request, reply) =>
    sendHtml(reply, page(await listKept(folder), undefined)),
  );
  app.get<Named>('/dev/mail/:name', open, async (request, reply) => {
    const messages = await listKept(folder);
    return sendHtml(reply, page(messages, find(messages, request.params)));
  });
  app.get<Named>('/dev/mail/:name/html', open, async (request, reply) => {
    const { html: content = '' } = find(await listKept(folder), request.params);
    // Nothing in a mail may run; its links open in a tab of their own.
    return reply
      .header(
        'Content-Security-Policy',
        "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'",
      )
      .type('text/html; charset=utf-8')
      .send(content.replace(/<head[^>]*>/i, '$&<base target="_blank">'));
  });
}

async function requireLocal(request: FastifyRequest): Promise<void> {
  if (!isFromThisMachine(request)) throw notFound();
}

const notFound = () => new AppError('route_not_found', 'There is no such message.');

function find(messages: readonly ListedMessage[], { name }: Named['Params']): ListedMessage {
  const found = messages.find((message) => message.name === name);
  if (!found) throw notFound();
  return found;
}

function sendHtml(reply: FastifyReply, content: Html): FastifyReply {
  return reply
    .header(
      'Content-Security-Policy',
      `default-src 'none'; style-src '${styleHash}'; frame-src 'self'; frame-ancestors 'none'`,
    )
    .header('Cache-Control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(content.toString());
}

function page(messages: readonly ListedMessage[], shown: ListedMessage | undefined): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${shown ? `${titleOf(shown)} · ` : ''}Messages · plinth dev</title>
<style>${style}</style>
</head>
<body>
<nav aria-label="Messages"><h1><a href="/dev/mail">Messages</a></h1>
<ol>${messages.map((message) => entry(message, message.name === shown?.name))}</ol></nav>
<main>${shown ? content(shown) : empty(messages.length)}</main>
</body>
</html>
`;
}

function entry(message: ListedMessage, isShown: boolean): Html {
  return html`<li><a href="/dev/mail/${message.name}"${isShown && html` aria-current="page"`}>${titleOf(message)}
<br><span class="small">${message.to} · ${timeOf(message)}</span></a></li>`;
}

function content(message: ListedMessage): Html {
  return html`<h2>${titleOf(message)}</h2>
<p class="small">A ${message.kind} to ${message.to}, from ${message.project}, ${timeOf(message)}</p>
${message.html !== undefined && html`<iframe src="/dev/mail/${message.name}/html" title="The email as it looks" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe><h2>As text</h2>`}
<pre>${message.text}</pre>`;
}

function empty(count: number): Html {
  const text =
    count === 0
      ? 'Nothing has been sent yet. Emails and text messages of your projects appear here instead of being delivered; reload this page after a sign-up.'
      : 'Select a message.';
  return html`<p>${text}</p>`;
}

const titleOf = ({ kind, subject, text }: ListedMessage) => (kind === 'mail' ? subject : text.slice(0, 60));
const timeOf = ({ at }: ListedMessage) => at.replace('T', ' ').replace(/\..*/, ' UTC');
