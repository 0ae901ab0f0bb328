// @postgres newest
// @needs helm
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Helm } from '../support/helm.ts';
import { blocksOf, readPage, repository } from '../support/markdown.ts';
import { runScript, runShell, shellWith } from '../support/shell-example.ts';
import { useTestApp } from '../support/test-app.ts';

const t = useTestApp();

/**
 * There is no docker and no cluster here. A command in a container is run without one, objects are made without being
 * sent, and an upgrade renders the chart.
 */
const stand = `
docker() {
  case "$1 $2 $3 \${4-}" in
    'compose run --rm plinth') shift 4; plinth "$@" ;;
    'compose up --detach ') test -s .env -a -s plinth.env ;;
    'compose logs setup ') ;;
    *) echo "docker $* is not known to the test" >&2; return 1 ;;
  esac
}
kubectl() { command kubectl "$@" --dry-run=client --output=yaml; }
helm() { if [ "$1 $2" = 'upgrade --install' ]; then shift 2; command helm template "$@"; else command helm "$@"; fi; }
`;

let helm: Helm;
let folder: string;
beforeAll(async () => {
  helm = new Helm();
  folder = await mkdtemp(join(tmpdir(), 'plinth-deploy-'));
  await cp(join(repository, 'deploy'), join(folder, 'deploy'), {
    recursive: true,
    filter: (path) => !path.endsWith('checks'),
  });
  const [values] = blocksOf(readPage('docs/deploy.md')).filter(({ language }) => language === 'yaml');
  await writeFile(join(folder, 'values.yaml'), values!.text);
  await writeFile(join(folder, '.env'), 'POSTGRES_PASSWORD=x\n');
  await writeFile(join(folder, 'plinth.env'), 'SECRET_KEY=x\n');
});
afterAll(async () => {
  helm[Symbol.dispose]();
  await rm(folder, { recursive: true, force: true });
});

const examples = ['docs/deploy.md', 'docs/upgrade.md'].flatMap((path) =>
  blocksOf(readPage(path))
    .filter(({ language }) => language === 'sh')
    .map((block) => ({ ...block, path })),
);

describe('every command is one that works', () => {
  test.each(examples)('$path, line $line', async (example) => {
    const { DATABASE_URL, CELL_DATABASE_URLS, SECRET_KEY, FILES_FOLDER = '' } = t.config;
    const settings = { DATABASE_URL, CELL_DATABASE_URLS, SECRET_KEY, FILES_FOLDER };
    const env = shellWith({
      ...settings,
      HOST: '127.0.0.1',
      PORT: '0',
      SHUTDOWN_DELAY_MS: '0',
      HOME: folder,
    });
    env.PATH = `${helm.bin}:${env.PATH}`;
    if (example.text.endsWith('plinth start')) await runShell(example, env, { folder });
    else await runScript(`${stand}${example.text}`, env, folder);
  });
});

test('the files that compose reads are filled in by the commands of the page', async () => {
  const env = await readFile(join(folder, 'deploy/.env'), 'utf8');
  expect(env).toMatch(/^POSTGRES_PASSWORD=[0-9a-f]{48}\nOWNER_EMAIL=ada@example\.com$/m);
  expect(await readFile(join(folder, 'deploy/plinth.env'), 'utf8')).toMatch(/^SECRET_KEY=\S{44}$/m);
});
