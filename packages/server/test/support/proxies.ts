import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { repository } from './markdown.ts';
import { freePort } from './redis.ts';

export const proxyNames = ['nginx', 'caddy', 'haproxy'] as const;
export type ProxyName = (typeof proxyNames)[number];

/** The name that the examples in `deploy` are for. */
export const exampleHost = 'api.example.com';

/** A reverse proxy on the loopback interface, with the configuration that `deploy` has for it. */
export interface Proxy extends AsyncDisposable {
  readonly httpPort: number;
  readonly httpsPort: number;
  /** Signs itself. */
  readonly certificate: Buffer;
}

interface Place {
  readonly folder: string;
  /** Host and port of the node. */
  readonly node: string;
  readonly http: string;
  readonly https: string;
}

/** What a proxy is started with: the example, with ports and certificate of the test in it. */
interface Setup {
  readonly example: string;
  readonly adapt: (example: string, place: Place) => string;
  /** Written beside it. */
  readonly frame?: (place: Place) => string;
  readonly command: (folder: string) => readonly string[];
}

const setups: Readonly<Record<ProxyName, Setup>> = {
  nginx: {
    example: 'deploy/nginx/plinth.conf',
    adapt: (text, { folder, node, http, https }) =>
      replaceEach(text, [
        ['    listen [::]:80;\n', ''],
        ['    listen [::]:443 ssl http2;\n', ''],
        ['listen 80;', `listen ${http};`],
        ['listen 443 ssl http2;', `listen ${https} ssl http2;`],
        ['127.0.0.1:4400', node],
        ['/etc/nginx/tls/api.example.com.crt', `${folder}/tls.crt`],
        ['/etc/nginx/tls/api.example.com.key', `${folder}/tls.key`],
      ]),
    frame: ({ folder }) => `${process.getuid?.() === 0 ? 'user root;' : ''}
      worker_processes 1; daemon off; pid ${folder}/pid; error_log ${folder}/log warn; events {}
      http { access_log off; ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
        .map((part) => `${part}_temp_path ${folder}/${part};`)
        .join(' ')} include ${folder}/example; }`,
    command: (folder) => ['nginx', '-e', `${folder}/log`, '-p', folder, '-c', `${folder}/frame`],
  },
  caddy: {
    example: 'deploy/caddy/Caddyfile',
    adapt: (text, { folder, node, http, https }) => {
      const ports = `http_port ${portOf(http)}\n\thttps_port ${portOf(https)}\n\tdefault_bind 127.0.0.1`;
      const adapted = replaceEach(text, [
        [`\n${exampleHost} {\n`, `\n${exampleHost} {\n\ttls ${folder}/tls.crt ${folder}/tls.key\n`],
        ['127.0.0.1:4400', node],
      ]);
      return `{\n\tadmin off\n\tauto_https disable_certs\n\t${ports}\n}\n${adapted}`;
    },
    command: (folder) => ['caddy', 'run', '--adapter', 'caddyfile', '--config', `${folder}/example`],
  },
  haproxy: {
    example: 'deploy/haproxy/haproxy.cfg',
    adapt: (text, { folder, node, http, https }) =>
      replaceEach(text, [
        ['bind :80\n', `bind ${http}\n`],
        ['bind :443 ', `bind ${https} `],
        ['/etc/haproxy/tls/api.example.com.pem', `${folder}/tls.pem`],
        ['127.0.0.1:4400', node],
      ]),
    command: (folder) => ['haproxy', '-db', '-f', `${folder}/example`],
  },
};

const portOf = (address: string) => address.replace(/^.*:/, '');

/** What is not there to be replaced would leave the example untested. */
function replaceEach(text: string, changes: readonly (readonly [string, string])[]): string {
  return changes.reduce((rest, [from, to]) => {
    if (!rest.includes(from)) throw new Error(`The example has no ${JSON.stringify(from)}.`);
    return rest.replace(from, to);
  }, text);
}

export async function startProxy(name: ProxyName, nodeUrl: string): Promise<Proxy> {
  const { example, adapt, frame, command } = setups[name];
  const folder = await mkdtemp(join(tmpdir(), `plinth-${name}-`));
  const [httpPort, httpsPort] = [await freePort(), await freePort()];
  const place = {
    folder,
    node: new URL(nodeUrl).host,
    http: `127.0.0.1:${httpPort}`,
    https: `127.0.0.1:${httpsPort}`,
  };
  const certificate = await makeCertificate(folder);
  const text = await readFile(join(repository, example), 'utf8');
  await writeFile(join(folder, 'example'), adapt(text, place));
  if (frame) await writeFile(join(folder, 'frame'), frame(place));
  const [program = '', ...args] = command(folder);
  const home = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const server = spawn(program, args, {
    env: { ...process.env, ...home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [server.stdout, server.stderr])
    stream.setEncoding('utf8').on('data', (more: string) => {
      said += more;
    });
  const ended = once(server, 'close');
  const isOver = () => server.exitCode !== null || server.signalCode !== null;
  const stop = async () => {
    // Caddy would wait for connections to end; nginx would leave its worker behind.
    if (!isOver()) server.kill(name === 'nginx' ? 'SIGTERM' : 'SIGKILL');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  for (let tries = 0; !(await isListening(httpPort)); tries += 1) {
    if (isOver() || tries > 3000) {
      await stop();
      throw new Error(`${name} did not start: ${said}`);
    }
    await sleep(20);
  }
  return { httpPort, httpsPort, certificate, [Symbol.asyncDispose]: stop };
}

async function isListening(port: number): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/healthz`, { redirect: 'manual' }).catch(
    () => undefined,
  );
  return answer !== undefined;
}

async function makeCertificate(folder: string): Promise<Buffer> {
  const at = (name: string) => join(folder, name);
  const subject = ['-subj', `/CN=${exampleHost}`, '-addext', `subjectAltName=DNS:${exampleHost}`];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', at('tls.key')];
  execFileSync('openssl', ['req', '-x509', '-days', '2', ...key, '-out', at('tls.crt'), ...subject], {
    stdio: 'pipe',
  });
  const certificate = await readFile(at('tls.crt'));
  await writeFile(at('tls.pem'), Buffer.concat([certificate, await readFile(at('tls.key'))]));
  return certificate;
}
