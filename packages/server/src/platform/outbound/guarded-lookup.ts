import type { LookupAddress } from 'node:dns';
import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { OutboundError } from './outbound-error.ts';

/** Finds the addresses of a name. */
export type Lookup = (host: string) => Promise<readonly LookupAddress[]>;

export const resolveName: Lookup = (host) => systemLookup(host, { all: true });

/** Whether an address may be connected to. */
export type AddressRule = (address: string) => boolean;

/**
 * A look-up for sockets that returns only addresses that may be connected to. The socket connects to one of these and does
 * not ask again, so a name that resolves to something else a moment later gains nothing.
 */
export function guardedLookup(find: Lookup, isAllowed: AddressRule): LookupFunction {
  return (host, options, answer) => {
    find(host).then(
      (found) => {
        const family = options.family === 'IPv4' ? 4 : options.family === 'IPv6' ? 6 : options.family;
        const usable = found.filter(
          ({ address }) => isAllowed(address) && (!family || isIP(address) === family),
        );
        const [first] = usable;
        if (!first) return answer(notAllowed(host), []);
        if (options.all) return answer(null, usable);
        return answer(null, first.address, first.family);
      },
      (error: Error) => answer(error, []),
    );
  };
}

/** An address in the place of a name is never looked up, so it is checked before. */
export function checkLiteral(host: string, isAllowed: AddressRule): void {
  if (isIP(host) !== 0 && !isAllowed(host)) throw notAllowed(host);
}

function notAllowed(host: string): OutboundError {
  return new OutboundError(
    `${host.slice(0, 253)} has no address that can be called from here: only public addresses are allowed, with https. An operator can allow others with OUTBOUND_ALLOW.`,
  );
}
