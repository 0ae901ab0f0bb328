const parts = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)([^?#]*)(?:\?(.*))?$/;

/**
 * The address of each server that the URL of a database names: `postgres://a:5432,b:5432/plinth`, or
 * `postgres:///plinth?host=a,b`, as libpq writes them. Most name one.
 */
export function hostsOf(url: string): string[] {
  const [, before = '', hosts = '', path = '', query = ''] = parts.exec(url) ?? [];
  const settings = new URLSearchParams(query);
  const named = settings.get('host');
  if (named?.includes(',')) return named.split(',').map((host, at) => withHost(url, query, { host, at }));
  if (!hosts.includes(',')) return [url];
  return hosts.split(',').map((host) => `${before}${host}${path}${query === '' ? '' : `?${query}`}`);
}

function withHost(url: string, query: string, { host, at }: { host: string; at: number }): string {
  const settings = new URLSearchParams(query);
  settings.set('host', host);
  const ports = settings.get('port')?.split(',');
  // One port is that of all.
  if (ports) settings.set('port', ports[at] ?? ports[0] ?? '');
  return url.replace(/\?.*$/s, `?${settings.toString()}`);
}
