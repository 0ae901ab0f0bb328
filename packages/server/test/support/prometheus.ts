import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Sample {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [time: number, value: string];
}

/** A Prometheus of its own that asks a node every second. */
export async function startPrometheus(target: string) {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-prometheus-'));
  const file = join(folder, 'prometheus.yml');
  await writeFile(
    file,
    `global: { scrape_interval: 1s }
scrape_configs:
  - job_name: plinth
    static_configs: [{ targets: ['${new URL(target).host}'] }]
`,
  );
  const port = await freePort();
  const args = [
    `--config.file=${file}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ];
  const child = spawn('prometheus', args, { stdio: 'ignore' });
  const ended = once(child, 'exit');
  return {
    /** What it answers; undefined while it starts. */
    async query(text: string): Promise<readonly Sample[] | undefined> {
      const url = `http://127.0.0.1:${port}/api/v1/query?${new URLSearchParams({ query: text }).toString()}`;
      const response = await fetch(url).catch(() => undefined);
      if (!response || response.status === 503) return undefined;
      const body = (await response.json()) as { error?: string; data?: { result: readonly Sample[] } };
      if (!body.data) throw new Error(`${body.error}: ${text}`);
      return body.data.result;
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
