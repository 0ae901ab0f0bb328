import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import staticFiles from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HttpServer } from './server.ts';

const config = { access: 'open', isPage: true } as const;

/** The folder with what `npm run build` made of the dashboard. */
function builtDashboard(): string {
  return join(dirname(fileURLToPath(import.meta.resolve('@plinth/dashboard/package.json'))), 'dist');
}

interface DashboardOptions {
  /** Where pictures and other files of projects come from, if not from here. */
  readonly filesOrigin: string | undefined;
}

/** Serves the dashboard: one page for every address under it, and its files, which never change under their names. */
export async function addDashboard(http: HttpServer, { filesOrigin }: DashboardOptions): Promise<void> {
  const root = builtDashboard();
  if (!existsSync(join(root, 'index.html'))) return addNotice(http);
  await http.register(staticFiles, { root, serve: false, preCompressed: true, cacheControl: false });
  const policy = policyFor(filesOrigin);
  const assets = new Set(readdirSync(join(root, 'assets')));
  const handler = ({ url }: FastifyRequest, reply: FastifyReply) => {
    const [, asset] = /^\/dashboard\/assets\/([^?]*)/.exec(url) ?? [];
    if (asset === undefined) return showPage(reply);
    // Of another version, perhaps: nobody may remember that it was not here.
    if (!assets.has(asset)) return reply.callNotFound();
    return reply.headers(assetHeaders).sendFile(`assets/${asset}`);
  };
  const showPage = (reply: FastifyReply) => {
    return reply.headers(pageHeaders).header('Content-Security-Policy', policy).sendFile('index.html');
  };
  for (const url of addresses) http.route({ method: 'GET', url, config, handler });
}

/** With and without the slash: a redirect from one to the other would have no end. */
const addresses = ['/dashboard', '/dashboard/*'];

/** Whoever has checked out the sources without building them is told how. */
function addNotice(http: HttpServer): void {
  const handler = (_request: unknown, reply: FastifyReply) =>
    reply.code(404).type('text/plain').send('The dashboard is not built here. Run: npm run build\n');
  for (const url of addresses) http.route({ method: 'GET', url, config, handler });
}

/** Their names change with their content. */
const assetHeaders = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'X-Content-Type-Options': 'nosniff',
};

const pageHeaders = {
  'Cache-Control': 'no-cache',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};

function policyFor(filesOrigin: string | undefined): string {
  const files = filesOrigin === undefined ? '' : ` ${filesOrigin}`;
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    `img-src 'self' data: blob:${files}`,
    `media-src 'self'${files}`,
    "connect-src 'self'",
    "frame-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}
