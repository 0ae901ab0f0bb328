// Serves the page, and tells it where Plinth is. Any web server can do this.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const base = process.env.BASE ?? 'http://localhost:4400';
const { origin } = new URL(base);
const port = Number(process.env.PORT ?? 5173);
const types = { html: 'text/html', css: 'text/css', js: 'text/javascript' };
const files = ['index.html', 'style.css', 'page.js', 'live-list.js', 'backoff.js'];
const folder = new URL('page/', import.meta.url);

const headers = {
  'Cache-Control': 'no-cache',
  'X-Content-Type-Options': 'nosniff',
  // The page talks to Plinth, and to nobody else.
  'Content-Security-Policy': `default-src 'self'; img-src data:; connect-src 'self' ${origin} ${origin.replace(/^http/, 'ws')}`,
};

function find(path) {
  if (path === '/settings.json') return { type: 'application/json', body: JSON.stringify({ base }) };
  const name = path === '/' ? 'index.html' : path.slice(1);
  if (!files.includes(name)) return undefined;
  return { type: types[name.split('.').at(-1)], body: readFileSync(new URL(name, folder)) };
}

const server = createServer((request, response) => {
  const found = find(request.url.split('?', 1)[0]);
  if (!found) return response.writeHead(404, headers).end('There is no such file.');
  response.writeHead(200, { ...headers, 'Content-Type': `${found.type}; charset=utf-8` }).end(found.body);
});

server.listen(port, 'localhost', () => {
  process.stdout.write(`Open http://localhost:${server.address().port}/ in two windows.\n`);
});
