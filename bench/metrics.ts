// What does it cost to be watched? Makes the same calls on nodes that measure and trace more or less, in turns of a few
// seconds. See README.md.
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Node, startNode, startPostgres } from './service.ts';
import { fill } from './speed/contenders.ts';
import { compare, inTurns, takeTurn } from './speed/in-turns.ts';
import { scriptOf } from './speed/script.ts';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '61' },
  },
});
const seconds = Number(options.seconds);

await using postgres = await startPostgres();
const databaseUrl = await postgres.database('plinth');
const common = {
  FILES_FOLDER: join(postgres.folder, 'files'),
  SECRET_KEY: randomBytes(32).toString('base64'),
};
const collector = createServer((request, response) => {
  request.resume().once('end', () => response.end('{}'));
}).listen(0, '127.0.0.1');
await new Promise((listening) => collector.once('listening', listening));
const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;

/** Each with how much more than the first a call may cost. */
const kinds = [
  { name: 'nothing measured', most: 1, port: 4485, settings: { SLOW_CALL_MS: '0' } },
  { name: 'metrics', most: 1.03, port: 4486, settings: { ADMIN_PORT: '4496' } },
  {
    name: 'metrics, a collector, nothing sampled',
    most: 1.03,
    port: 4487,
    settings: { ADMIN_PORT: '4497', OTEL_EXPORTER_OTLP_ENDPOINT: endpoint },
  },
  {
    name: 'metrics, 1 % sampled',
    most: 1.05,
    port: 4488,
    settings: { ADMIN_PORT: '4498', OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, TRACE_SAMPLE: '0.01' },
  },
];
await using nodes = new AsyncDisposableStack();
const running: Node[] = [];
for (const { port, settings } of kinds)
  running.push(nodes.use(await startNode(databaseUrl, port, { settings: { ...common, ...settings } })));
const { apiKey, idsFile } = await fill(running[0]!.url, databaseUrl, postgres.folder, 5000);
const scraping = setInterval(() => {
  for (const { settings } of kinds)
    if (settings.ADMIN_PORT)
      void fetch(`http://127.0.0.1:${settings.ADMIN_PORT}/metrics`).then((one) => one.text());
}, 1000);

const headers = { 'X-API-Key': apiKey };
const works = [
  {
    name: 'point reads',
    script: scriptOf({ request: 'return get("/collections/articles/" .. any(ids))', idsFile, headers }),
  },
  {
    name: 'newest 20',
    script: scriptOf({ request: 'return get("/collections/articles?limit=20")', idsFile, headers }),
  },
];

for (const { name, script } of works) {
  const rounds = await inTurns(running, Number(options.rounds), (node) =>
    takeTurn(node, postgres.folder, { connections: 64, seconds, script }),
  );
  for (const [at, kind] of kinds.entries()) {
    const { ratio, describeCost, costRatio } = compare(rounds, at);
    process.stdout.write(
      `${name.padEnd(14)} ${kind.name.padEnd(40)} ${costRatio('service').toFixed(3)} of the CPU of a call (${describeCost('service')}), ${ratio.toFixed(3)} of the rate\n`,
    );
    if (costRatio('service') > kind.most) process.exitCode = 1;
  }
}
clearInterval(scraping);
collector.close();
