/** `fetch` does not tell how far an upload is; `XMLHttpRequest` does. For bodies and answers as the client has them. */
export function fetchWithProgress(onProgress: (sent: number) => void): typeof fetch {
  return (url, { method = 'GET', headers, body, signal, credentials } = {}) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      const stop = () => request.abort();
      request.open(method, url as string);
      request.withCredentials = credentials === 'include';
      for (const [name, value] of Object.entries(headers as Record<string, string>))
        request.setRequestHeader(name, value);
      request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded));
      request.addEventListener('load', () => resolve(responseOf(request)));
      request.addEventListener('error', () => reject(new TypeError('The connection was lost.')));
      request.addEventListener('abort', () => reject(new TypeError('The request was aborted.')));
      request.addEventListener('loadend', () => signal?.removeEventListener('abort', stop));
      signal?.addEventListener('abort', stop);
      if (signal?.aborted) reject(new TypeError('The request was aborted.'));
      else request.send(body as XMLHttpRequestBodyInit | null);
    });
}

function responseOf(request: XMLHttpRequest): Response {
  const { status, responseText } = request;
  const headers = request
    .getAllResponseHeaders()
    .split('\r\n')
    .flatMap((line): [string, string][] => {
      const at = line.indexOf(':');
      return at < 0 ? [] : [[line.slice(0, at), line.slice(at + 1).trim()]];
    });
  // Where there is no body, none may be given.
  return new Response(status === 204 ? null : responseText, { status, headers });
}
