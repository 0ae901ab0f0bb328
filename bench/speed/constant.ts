// A server that answers every request with one constant: what HTTP itself costs. `node` or `fastify`, and the port.
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { articleOf } from './documents.ts';

const [kind, port] = process.argv.slice(2);
const body = JSON.stringify({ success: true, data: articleOf(1) });
const fastify = createRequire(new URL('../../packages/server/package.json', import.meta.url))('fastify');

if (kind === 'fastify') {
  const app = fastify();
  const answer = async (_request: unknown, reply: { type(name: string): void }) => {
    reply.type('application/json; charset=utf-8');
    return body;
  };
  app.route({ method: ['GET', 'POST', 'PATCH'], url: '*', handler: answer });
  await app.listen({ port: Number(port), host: '127.0.0.1' });
} else {
  createServer((_request, response) => {
    response.setHeader('content-type', 'application/json; charset=utf-8');
    response.end(body);
  }).listen(Number(port), '127.0.0.1');
}
process.stdout.write('ready\n');
