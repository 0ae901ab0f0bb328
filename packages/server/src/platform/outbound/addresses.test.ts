import { describe, expect, test } from 'vitest';
import { isInNetworks, isPublicAddress, parseNetworks } from './addresses.ts';

const closed = {
  unspecified: ['0.0.0.0', '0.1.2.3', '::'],
  loopback: ['127.0.0.1', '127.255.255.255', '::1'],
  private: ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
  'link-local': ['169.254.169.254', 'fe80::1', 'febf::1', 'fe80::1%eth0'],
  'unique-local': ['fc00::1', 'fd00:ec2::254', 'fec0::1'],
  'carrier-grade NAT': ['100.64.0.1', '100.100.100.200', '100.127.255.255'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1'],
  reserved: ['240.0.0.1', '255.255.255.255', '192.0.0.192', '4000::1', '100::1', '5f00::1'],
  documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
  benchmark: ['198.18.0.1', '198.19.255.255', '2001:2::1'],
  'IPv4-mapped': ['::ffff:7f00:1', '::ffff:169.254.169.254', '0:0:0:0:0:ffff:0a00:0001', '::ffff:0:0'],
  'IPv4-compatible': ['::127.0.0.1', '::7f00:1', '::8.8.8.8'],
  'IPv4-translated': ['::ffff:0:7f00:1'],
  NAT64: ['64:ff9b::7f00:1', '64:ff9b::169.254.169.254', '64:ff9b::a00:1', '64:ff9b:1::808:808'],
  '6to4': ['2002:7f00:1::', '2002:a9fe:a9fe::1', '2002:c0a8:101::1'],
  Teredo: ['2001:0:7f00:1::1'],
  'host of a virtual machine': ['168.63.129.16', '::ffff:168.63.129.16'],
  'no address': ['', 'localhost', '2130706433', '0x7f.1', '127.1', '[::1]', '1.2.3.4.5', ' 8.8.8.8'],
};

describe('F2: what is not a public address', () => {
  test.each(Object.entries(closed))('%s', (_kind, addresses) => {
    expect(addresses.filter(isPublicAddress)).toEqual([]);
  });
});

test('public addresses are, also just beside networks that are not', () => {
  const open = [
    ['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255'],
    ['128.0.0.0', '168.63.129.15', '168.63.129.17', '172.15.255.255', '172.32.0.0', '192.0.1.0'],
    ['198.17.255.255', '198.20.0.0', '223.255.255.255'],
    ['2606:4700:4700::1111', '2a00:1450::1', '2001:4860:4860::8888', '2001:200::1', '2003::1', '3ffe::1'],
    // How public hosts look on networks that have only IPv6.
    ['64:ff9b::808:808', '::ffff:8.8.8.8'],
  ].flat();
  expect(open.filter((address) => !isPublicAddress(address))).toEqual([]);
});

test('networks of the configuration are read exactly, or not at all', () => {
  const networks = parseNetworks(' 127.0.0.0/8, 10.1.2.3,fd00::/8 , ')!;
  const probes = ['127.9.9.9', '10.1.2.3', '10.1.2.4', 'fd12::1', 'fe80::1', '::ffff:127.0.0.1', '128.0.0.1'];
  expect(probes.filter((address) => isInNetworks(networks, address))).toEqual([
    '127.9.9.9',
    '10.1.2.3',
    'fd12::1',
    '::ffff:127.0.0.1',
  ]);
  expect(isInNetworks(parseNetworks('')!, '127.0.0.1')).toBe(false);
  for (const wrong of ['10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '10', 'fd00::/129', '10.0.0.0/-1'])
    expect(parseNetworks(wrong), wrong).toBeUndefined();
});
