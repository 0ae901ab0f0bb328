import { once } from 'node:events';
import { createServer } from 'node:net';
import { errorCode } from '../platform/error-code.ts';
import { CommandError } from './usage.ts';

const problems: Readonly<Record<string, (host: string, port: number) => string>> = {
  EADDRINUSE: (_host, port) => `Port ${port} is in use. Choose another with --port.`,
  EACCES: (_host, port) =>
    `This user is not allowed to listen on port ${port}. Choose one above 1023 with --port.`,
  EADDRNOTAVAIL: (host) => `This machine does not have the address ${host}. Choose another with --host.`,
  ENOTFOUND: (host) => `The address ${host} cannot be resolved. Choose another with --host.`,
};

/** Fails if nobody can listen there: better before anything is started than after. */
export async function requirePort(host: string, port: number): Promise<void> {
  const probe = createServer();
  try {
    await once(probe.listen(port, host), 'listening');
  } catch (error) {
    const problem = problems[errorCode(error) ?? ''];
    throw problem ? new CommandError(problem(host, port)) : error;
  }
  await new Promise((closed) => probe.close(closed));
}
