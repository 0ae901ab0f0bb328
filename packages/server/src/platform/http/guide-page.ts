import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import staticFiles from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HttpServer } from './server.ts';

// A search reads dozens of files: they must not use up what an address may ask of the API.
const config = { access: 'open', isPage: true, countsAs: 'nothing' } as const;
const addresses = ['/guide', '/guide/*'];

/** The folder with what `npm run site` made of the documentation; undefined where the package was left out. */
function builtSite(): string | undefined {
  try {
    return join(dirname(fileURLToPath(import.meta.resolve('@plinth/site/package.json'))), 'dist');
  } catch {
    return undefined;
  }
}

/** The paths of all files, as addresses have them. */
function filesIn(root: string): Set<string> {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Set(paths.map((path) => relative(root, path).replaceAll('\\', '/')));
}

/** Serves the documentation, for whoever develops on this machine. */
export async function addGuide(http: HttpServer): Promise<void> {
  const root = builtSite();
  if (root === undefined || !existsSync(join(root, 'index.html'))) return addNotice(http);
  const files = filesIn(root);
  await http.register(async (http) => {
    await http.register(staticFiles, { root, serve: false, cacheControl: false });
    const handler = ({ url }: FastifyRequest, reply: FastifyReply) => {
      const { pathname } = new URL(url, 'http://guide');
      const path = pathname.replace(/^\/guide\/?/, '');
      const page = posix.join(path, 'index.html');
      if (files.has(page) && !pathname.endsWith('/')) return reply.redirect(`${pathname}/`);
      const file = files.has(page) ? page : path;
      if (!files.has(file)) return reply.callNotFound();
      return reply.headers(headers).sendFile(file);
    };
    for (const url of addresses) http.route({ method: 'GET', url, config, handler });
  });
}

/** Whoever has checked out the sources without building them is told how; an image has no documentation. */
function addNotice(http: HttpServer): void {
  const handler = (_request: unknown, reply: FastifyReply) =>
    reply.code(404).type('text/plain').send('The documentation is not built here. Run: npm run site\n');
  for (const url of addresses) http.route({ method: 'GET', url, config, handler });
}

/** What a page may load it says itself, so that it is the same on other servers. */
const headers = {
  'Cache-Control': 'no-cache',
  'Content-Security-Policy': "frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};
