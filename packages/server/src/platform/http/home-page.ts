import { createHash } from 'node:crypto';
import { html } from './html.ts';
import { sendHtml } from './html-page.ts';
import { iconAddress, iconPath } from './icon.ts';
import type { HttpServer } from './server.ts';

const style = `
:root { color-scheme: light dark; --ink: light-dark(#1c1b22, #ececf1); --soft: light-dark(#5b5966, #a9a7b4);
  --paper: light-dark(#fafafb, #131217); --line: light-dark(#dddce3, #35333e); --sign: light-dark(#4f46e5, #a5a0ff); }
body { margin: 12vh auto 3rem; max-width: 34rem; padding: 0 1.25rem; font: 17px/1.6 system-ui, sans-serif;
  color: var(--ink); background: var(--paper); }
svg { width: 2.5rem; height: 2.5rem; fill: var(--sign); }
h1 { font-size: 1.6rem; line-height: 1.3; margin: .75rem 0 .25rem; }
p { margin: .25rem 0 1.75rem; color: var(--soft); }
code { font: .9em ui-monospace, monospace; color: var(--ink); white-space: nowrap; }
ul { list-style: none; margin: 0; padding: 0; display: grid; gap: .75rem; }
a { display: block; padding: .8rem 1rem; border: 1px solid var(--line); border-radius: .6rem;
  color: inherit; text-decoration: none; }
a:hover, a:focus-visible { border-color: var(--sign); }
a strong { display: block; color: var(--sign); }
a span { color: var(--soft); }
`;
const styleHash = `sha256-${createHash('sha256').update(style).digest('base64')}`;

interface HomeLink {
  readonly href: string;
  readonly name: string;
  readonly about: string;
}

/** What a browser shows at the base address: that it is the right one, and where to go from there. */
export function addHomePage(app: HttpServer, links: readonly HomeLink[]): void {
  const items = links.map(
    ({ href, name, about }) =>
      html`<li><a href="${href}"><strong>${name}</strong> <span>${about}</span></a></li>`,
  );
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Plinth</title>
<link rel="icon" href="${iconAddress}">
<style>${style}</style>
</head>
<body>
<main>
<svg viewBox="0 0 16 16" aria-hidden="true"><path d="${iconPath}"/></svg>
<h1>Plinth is running</h1>
<p>This is the base address of its API. Your app calls it: <code>GET /collections</code>, for example, with an API key.</p>
<ul>${items}</ul>
</main>
</body>
</html>`;
  app.get('/', { config: { access: 'open' } }, async (request, reply) => {
    // A program is told, as everywhere, that it wants another address.
    if (request.headers.accept?.includes('text/html'))
      return sendHtml(reply, { status: 200, document, styleHash, hasPictures: true });
    reply.callNotFound();
    return reply;
  });
}
