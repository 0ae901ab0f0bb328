import { createHash } from 'node:crypto';
import { html } from './html.ts';
import { sendHtml } from './html-page.ts';
import type { HttpServer } from './server.ts';

const style = `
:root { color-scheme: light dark; }
body { margin: 12vh auto; max-width: 34rem; padding: 0 1.25rem; font: 17px/1.6 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0 0 .25rem; }
li { margin: .5rem 0; }
`;
const styleHash = `sha256-${createHash('sha256').update(style).digest('base64')}`;

interface HomeLink {
  readonly href: string;
  readonly name: string;
  readonly about: string;
}

/** What a browser shows at the base address: that it is the right one, and where to go from there. */
export function addHomePage(app: HttpServer, links: readonly HomeLink[]): void {
  const items = links.map(({ href, name, about }) => html`<li><a href="${href}">${name}</a>: ${about}</li>`);
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Plinth</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Plinth is running</h1>
<p>This is the base address of its API: programs call it, such as <code>GET /collections</code> with an API key.</p>
<ul>${items}</ul>
</main>
</body>
</html>`;
  app.get('/', { config: { access: 'open' } }, async (request, reply) => {
    // A program is told, as everywhere, that it wants another address.
    if (request.headers.accept?.includes('text/html'))
      return sendHtml(reply, { status: 200, document, styleHash });
    reply.callNotFound();
    return reply;
  });
}
