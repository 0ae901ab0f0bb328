import type { FastifyRequest } from 'fastify';

/** What proxies and tunnels write into the calls that they pass on. */
const signsOfProxies = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via'];

/**
 * Is the caller somebody at this machine? Another site could make its own name point to this machine, and read what is
 * here. A proxy or tunnel on this machine may call it by a local name whoever asks, so the name alone is not believed.
 */
export function isFromThisMachine({ headers, raw }: Pick<FastifyRequest, 'headers' | 'raw'>): boolean {
  const isNamedLocal = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(headers.host ?? '');
  const isLocal = /^(::ffff:)?127\.|^::1$/.test(raw.socket.remoteAddress ?? '');
  // Browsers and curl speak HTTP/1.1; a proxy that says nothing of itself, as nginx does, speaks 1.0 unless told.
  const isPassedOn = raw.httpVersion === '1.0' || signsOfProxies.some((name) => headers[name] !== undefined);
  return isNamedLocal && isLocal && !isPassedOn;
}

/** Does a browser on this machine call without TLS? Some keep no `Secure` cookies then. */
export function isPlainHere(request: Pick<FastifyRequest, 'headers' | 'raw' | 'protocol'>): boolean {
  return request.protocol === 'http' && isFromThisMachine(request);
}
