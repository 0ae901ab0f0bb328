import { BlockList, isIP } from 'node:net';

const form = /^([0-9a-f.:]+)(?:\/(\d{1,3}))?$/i;

/** A network as it is written: an address, or an address and the length of its prefix. */
interface Network {
  readonly address: string;
  readonly prefix: number;
  readonly family: 'ipv4' | 'ipv6';
}

/** Undefined if the text is no network. */
export function parseNetwork(text: string): Network | undefined {
  const [, address = '', length] = form.exec(text) ?? [];
  const version = isIP(address);
  const bits = version === 4 ? 32 : 128;
  const prefix = length === undefined ? bits : Number(length);
  if (version === 0 || prefix > bits) return undefined;
  return { address, prefix, family: version === 4 ? 'ipv4' : 'ipv6' };
}

/** Some networks. An IPv4 address is in them in both of its forms: 10.1.2.3 and ::ffff:10.1.2.3. */
export class Networks {
  readonly #listed = new BlockList();

  constructor(texts: readonly string[]) {
    for (const text of texts) {
      const network = parseNetwork(text);
      if (network) this.#listed.addSubnet(network.address, network.prefix, network.family);
    }
  }

  has(address: string): boolean {
    // What follows % names an interface of this machine.
    const [plain = ''] = address.split('%', 1);
    const version = isIP(plain);
    return version !== 0 && this.#listed.check(plain, version === 4 ? 'ipv4' : 'ipv6');
  }
}
