import { type DeploymentCheck, ok, problem, warning } from '../check.ts';

export const trustProxy: DeploymentCheck = {
  id: 'trust-proxy',
  group: 'Addresses',
  title: 'TRUST_PROXY',
  page: 'proxies.md#addresses-of-clients',
  async run({ config: { TRUST_PROXY: proxies, PUBLIC_URL: url } }) {
    if (/(^|[\s,])([0.]+|[0:]+)\/0\b/.test(proxies))
      return problem(
        `TRUST_PROXY believes everybody (${proxies}): any client can claim any address, and evade limits.`,
        'Name only the addresses or networks of your proxies.',
      );
    if (proxies === '' && url?.startsWith('https:'))
      return warning(
        'TRUST_PROXY is empty, and PUBLIC_URL is https, so a proxy is in front: all clients have its address and one limit.',
        'Set TRUST_PROXY to the addresses or networks of the proxies.',
      );
    return ok(proxies === '' ? 'No proxy is believed.' : `Proxies at ${proxies} are believed.`);
  },
};
