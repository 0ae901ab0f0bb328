import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { explainError } from '../../src/commands/explain-error.ts';
import { runProjectCommand } from '../../src/commands/project.ts';
import { parseConfig } from '../../src/platform/config/config.ts';
import { repository } from '../support/markdown.ts';

/** A shell in which `plinth project` does not start a process each time. */
interface QuickProjects extends AsyncDisposable {
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Puts a `plinth` before the real one, which has `plinth project` run by this process. Commands that are given
 * something to read, and all others, are run as they are.
 */
export async function quickProjects(env: NodeJS.ProcessEnv): Promise<QuickProjects> {
  const server = createServer((request, response) => {
    const answer = async () =>
      runProjectCommand(parseConfig(env), (await text(request)).split('\0').slice(0, -1));
    answer().then(
      (printed) => response.end(`${printed}\n`),
      (error: unknown) => response.writeHead(400).end(`${explainError(error)}\n`),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const folder = await mkdtemp(join(tmpdir(), 'plinth-quick-'));
  const script = `#!/bin/bash
if [ "$1" != project ] || [ ! -c /dev/stdin ]; then exec '${repository}node_modules/.bin/plinth' "$@"; fi
shift
set -o pipefail
printf '%s\\0' "$@" | curl -s --fail-with-body --data-binary @- http://127.0.0.1:${port}
`;
  await writeFile(join(folder, 'plinth'), script, { mode: 0o755 });
  return {
    env: { ...env, PATH: `${folder}${delimiter}${env.PATH}` },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
