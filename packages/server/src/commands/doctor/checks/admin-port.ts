import { networkInterfaces } from 'node:os';
import { isPublicAddress } from '../../../platform/outbound/addresses.ts';
import { type DeploymentCheck, ok, problem } from '../check.ts';

export const adminPort: DeploymentCheck = {
  id: 'admin-port',
  group: 'Security',
  title: 'ADMIN_PORT',
  page: 'projects.md#health-and-shutdown',
  async run({ config: { ADMIN_PORT: port, ADMIN_HOST: host } }) {
    if (port === undefined) return ok('Not configured.');
    const open = listensOn(host).filter(isPublicAddress);
    if (open.length === 0) return ok(`Port ${port} of ${host} cannot be reached from the internet.`);
    return problem(
      `ADMIN_PORT ${port} listens on a public address (${open.join(', ')}) and requires no credential.`,
      'Set ADMIN_HOST to a private address, such as 127.0.0.1.',
    );
  },
};

function listensOn(host: string): string[] {
  if (!/^(0\.0\.0\.0|::|)$/.test(host)) return [host];
  return Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ address }) => address));
}
