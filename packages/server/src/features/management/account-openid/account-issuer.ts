import type { Outbound } from '../../../platform/outbound/outbound.ts';
import { OutboundError } from '../../../platform/outbound/outbound-error.ts';
import { deploymentProvider, type Provider } from '../../people/index.ts';

/** Who says who somebody is. */
export interface AccountIssuer {
  /** Its address, in one spelling. */
  readonly name: string;
  readonly provider: Provider;
}

interface IssuerSettings {
  readonly ACCOUNT_OIDC_ISSUER?: string | undefined;
  /** `client_id:client_secret`. */
  readonly ACCOUNT_OIDC_CLIENT?: string | undefined;
}

/** The issuer of the deployment's settings, if they name one. Nobody is called before somebody signs in. */
export function accountIssuer(
  { ACCOUNT_OIDC_ISSUER: issuer, ACCOUNT_OIDC_CLIENT: client }: IssuerSettings,
  outbound: Pick<Outbound, 'fetch'>,
): AccountIssuer | undefined {
  if (issuer === undefined || client === undefined) return undefined;
  const secretAt = client.indexOf(':') + 1;
  const settings = {
    issuer,
    client_id: client.slice(0, secretAt - 1),
    client_secret: client.slice(secretAt),
  };
  const calls = issuer.startsWith('https:') ? encrypted(outbound) : outbound;
  return { name: new URL(issuer).href, provider: deploymentProvider(calls, settings) };
}

/** Whatever the issuer says of its other addresses: the client secret is never sent in the clear. */
function encrypted(outbound: Pick<Outbound, 'fetch'>): Pick<Outbound, 'fetch'> {
  return {
    fetch: async (address, request) => {
      if (new URL(address).protocol !== 'https:')
        throw new OutboundError('The issuer has an endpoint that does not start with https://.');
      return outbound.fetch(address, request);
    },
  };
}
