import { type DeploymentCheck, ok, problem, warning } from '../check.ts';

export const trustProxy: DeploymentCheck = {
  id: 'trust-proxy',
  group: 'Addresses',
  title: 'TRUST_PROXY',
  page: 'proxies.md#client-addresses',
  async run({ config: { TRUST_PROXY: proxies, PUBLIC_URL: url } }) {
    if (/(^|[\s,])([0.]+|[0:]+)\/0\b/.test(proxies))
      return problem(
        `TRUST_PROXY trusts everyone (${proxies}): any client can claim any address and evade rate limits.`,
        'List only the addresses or networks of your proxies.',
      );
    if (proxies === '' && url?.startsWith('https:'))
      return warning(
        'TRUST_PROXY is empty, but PUBLIC_URL is https, so there is a proxy in front: all clients appear to have its address and share one rate limit.',
        'Set TRUST_PROXY to the addresses or networks of the proxies.',
      );
    return ok(proxies === '' ? 'No proxy is trusted.' : `Proxies at ${proxies} are trusted.`);
  },
};
