// Bundles and serves the page of an example, and tells it where Plinth is. Any bundler and web server can do this.
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const base = process.env.BASE ?? 'http://localhost:4400';
const { origin } = new URL(base);
const port = Number(process.env.PORT ?? 5173);

const headers = {
  'Cache-Control': 'no-cache',
  'X-Content-Type-Options': 'nosniff',
  // The page talks to Plinth, and to nobody else.
  'Content-Security-Policy': `default-src 'self'; img-src data:; connect-src 'self' ${origin} ${origin.replace(/^http/, 'ws')}`,
};

async function bundle(file) {
  const made = await rolldown({
    input: fileURLToPath(file),
    platform: 'browser',
    // In this repository the client is taken from its source, so that it need not be built.
    resolve: { conditionNames: ['@plinth/source', 'browser', 'import'] },
  });
  const { output } = await made.generate({ format: 'esm' });
  return output.map(({ fileName, code }) => [`/${fileName}`, { type: 'text/javascript', body: code }]);
}

/** Serves a folder with `index.html`, `page.js`, and a service worker if it has one. */
export async function servePage(folder) {
  const worker = new URL('service-worker.js', folder);
  const scripts = await bundle(new URL('page.js', folder));
  const files = new Map([
    ['/', { type: 'text/html', body: readFileSync(new URL('index.html', folder)) }],
    ['/style.css', { type: 'text/css', body: readFileSync(new URL('style.css', import.meta.url)) }],
    ['/settings.json', { type: 'application/json', body: JSON.stringify({ base }) }],
    ...scripts,
  ]);
  if (existsSync(worker)) {
    // What the page needs without a connection.
    const needed = { type: 'application/json', body: JSON.stringify([...files.keys()]) };
    files.set('/files.json', needed);
    files.set('/service-worker.js', { type: 'text/javascript', body: readFileSync(worker) });
  }
  const server = createServer((request, response) => {
    const found = files.get(request.url.split('?', 1)[0]);
    if (!found) return response.writeHead(404, headers).end('There is no such file.');
    response.writeHead(200, { ...headers, 'Content-Type': `${found.type}; charset=utf-8` }).end(found.body);
  });
  server.listen(port, 'localhost', () => {
    process.stdout.write(`Open http://localhost:${server.address().port}/ in two windows.\n`);
  });
}
