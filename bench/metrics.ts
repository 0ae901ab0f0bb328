// What does it cost to be watched? Makes the same calls on nodes that measure and trace more or less, in turns of a few
// seconds. See README.md.
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Node, startNode, startPostgres } from './service.ts';
import { fill } from './speed/fill.ts';
import { compare, inTurns, takeTurn } from './speed/in-turns.ts';
import { profileShare } from './speed/profile-share.ts';
import { scriptOf } from './speed/script.ts';
import { runWrk } from './speed/wrk.ts';

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

const kinds = [
  { name: 'nothing measured', port: 4485, settings: { SLOW_CALL_MS: '0' } },
  { name: 'metrics', port: 4486, settings: { ADMIN_PORT: '4496' } },
  {
    name: 'metrics, a collector, nothing sampled',
    port: 4487,
    settings: { ADMIN_PORT: '4497', OTEL_EXPORTER_OTLP_ENDPOINT: endpoint },
  },
  {
    name: 'metrics, 1 % sampled',
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
      void fetch(`http://127.0.0.1:${settings.ADMIN_PORT}/metrics`)
        .then((one) => one.text())
        .catch((error: unknown) => process.stderr.write(`A scrape failed: ${String(error)}\n`));
}, 1000);

const headers = { 'X-API-Key': apiKey };
const itself = /async_context_frame|\/tracing\/current-call\.js$/;
const from = /\/calls\/call-watch\.js$/;
const metrics = '\\/calls\\/call-watch\\.js$|\\/platform\\/metrics\\/|\\/database-metrics\\.js$';
/**
 * A call that somebody watches notes what it waits for, and is counted at its end; a sampled one has spans besides. No
 * more of what a node works may be that.
 */
const watched = [
  { name: 'metrics', settings: {}, within: new RegExp(metrics), mostShare: 0.03 },
  {
    name: 'metrics, 1 % sampled',
    settings: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, TRACE_SAMPLE: '0.01' },
    within: new RegExp(`${metrics}|\\/platform\\/tracing\\/(?!current-call)|@opentelemetry`),
    mostShare: 0.05,
  },
];
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
  for (const { name: what, settings, mostShare, within } of watched) {
    const profile = join(postgres.folder, `${name} with ${what}`);
    {
      const all = { ...common, ...settings, ADMIN_PORT: '4499' };
      await using node = await startNode(databaseUrl, 4489, { settings: all, profile });
      await runWrk({ url: node.url, connections: 64, seconds: 10, script });
    }
    const share = await profileShare(profile, { from, within, itself });
    const percent = `${(100 * share).toFixed(1)} % of what a node works, at most ${100 * mostShare} %`;
    process.stdout.write(`${name.padEnd(14)} ${what.padEnd(40)} ${percent}\n`);
    if (share > mostShare) process.exitCode = 1;
  }
  const rounds = await inTurns(running, Number(options.rounds), (node) =>
    takeTurn(node, postgres.folder, { connections: 64, seconds, script }),
  );
  for (const [at, kind] of rounds.length > 0 ? kinds.entries() : []) {
    const { ratio, describeCost, costRatio } = compare(rounds, at);
    process.stdout.write(
      `${name.padEnd(14)} ${kind.name.padEnd(40)} ${costRatio('service').toFixed(3)} of the CPU of a call (${describeCost('service')}), ${ratio.toFixed(3)} of the rate\n`,
    );
  }
}
clearInterval(scraping);
collector.close();
