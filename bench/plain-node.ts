import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** The function of the bench as a Node program of its own: no walls, no limits, no logs. */
const source = `import { createServer } from 'node:http';
import hello from './hello.js';
createServer((request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(hello()));
}).listen(process.argv[2], () => process.stdout.write('listening'));
`;

export interface PlainNode extends AsyncDisposable {
  readonly pid: number;
  call(): Promise<void>;
}

/** Starts it in the folder of the function; it listens on a socket beside it. */
export async function startPlainNode(folder: string): Promise<PlainNode> {
  const program = join(folder, 'plain.mjs');
  writeFileSync(program, source);
  const socketPath = join(folder, `${crypto.randomUUID()}.sock`);
  const child = spawn(process.execPath, [program, socketPath], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  return {
    pid: child.pid!,
    async call() {
      const sent = request({ socketPath, agent, path: '/functions/hello' }).end();
      const [answer] = await once(sent, 'response');
      await text(answer);
    },
    async [Symbol.asyncDispose]() {
      agent.destroy();
      child.kill();
      await once(child, 'exit');
    },
  };
}
