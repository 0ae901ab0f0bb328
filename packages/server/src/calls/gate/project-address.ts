import type { IncomingMessage } from 'node:http';

const pathForm = /^(\/management)?\/p\/([a-z0-9]{12})(?=[/?]|$)/;

declare module 'node:http' {
  interface IncomingMessage {
    /** The ref of the project that the call's address names. */
    namedProject?: string | undefined;
    /** The call comes through the gateway: an account makes it. */
    isThroughGateway?: boolean;
  }
}

/**
 * Projects have addresses of their own, `/p/{ref}/…` and `{ref}.{API_DOMAIN}`; routes are written without them, also
 * without the `/management/p/{ref}/…` of the gateway. The
 * returned function takes the project out of the address and remembers it for the call.
 */
export function projectAddresses(apiDomain: string | undefined): (request: IncomingMessage) => string {
  const domain = apiDomain && `.${apiDomain}`;
  return (request) => {
    const url = request.url ?? '/';
    const inPath = pathForm.exec(url);
    if (inPath) {
      request.namedProject = inPath[2];
      request.isThroughGateway = inPath[1] !== undefined;
      const rest = url.slice(inPath[0].length);
      return rest.startsWith('/') ? rest : `/${rest}`;
    }
    const host = request.headers.host?.toLowerCase();
    if (domain && host?.endsWith(domain)) request.namedProject = host.slice(0, -domain.length);
    return url;
  };
}

/** The ref that the call's address names, if it names one. */
export function refInAddress(request: IncomingMessage): string | undefined {
  return request.namedProject;
}
