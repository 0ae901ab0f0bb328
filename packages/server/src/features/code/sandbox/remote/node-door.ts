import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ClientHttp2Session, IncomingHttpHeaders } from 'node:http2';
import { pipeline } from 'node:stream';
import { guarded } from '../../../../platform/guarded.ts';
import type { Files } from '../code-folders.ts';
import { digestOf } from '../code-folders.ts';
import { type Code, SandboxError } from '../invocation.ts';
import { readAtMost } from '../read-at-most.ts';
import { type Asking, handedOn, pathOf, type ServiceDoor, serviceAway } from '../service-calls.ts';

/** Bytes of the files of one version, as they travel. */
const mostCodeBytes = 64 * 1_048_576;

/** What code at this pool asks of the service: the node that gave the call is asked, which has the credential. */
export class NodeDoor implements ServiceDoor {
  /** By the ids that nodes have given to their calls. */
  readonly #nodes = new Map<string, ClientHttp2Session>();

  /** From now on, and until what it returns is called, the call may ask. */
  open(id: string, node: ClientHttp2Session): () => void {
    this.#nodes.set(id, node);
    return () => void this.#nodes.delete(id);
  }

  async serve({ token: id }: Asking, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const node = this.#nodes.get(id);
    if (!node || node.destroyed) return serviceAway(response);
    const ask = node.request(
      {
        ...handedOn(request),
        ':method': request.method ?? 'GET',
        ':path': pathOf(request.url),
        ':authority': 'service.invalid',
        'x-plinth-run': id,
      },
      { endStream: false },
    );
    ask.on(
      'error',
      guarded(
        () => response.destroy(),
        () => serviceAway(response),
      ),
    );
    ask.once(
      'response',
      guarded(
        () => response.destroy(),
        (headers: IncomingHttpHeaders) => {
          response.writeHead(Number(headers[':status']), ofAnswer(headers));
          pipeline(ask, response, () => {});
        },
      ),
    );
    request.pipe(ask);
    response.once(
      'close',
      guarded(
        () => {},
        () => ask.destroy(),
      ),
    );
  }

  /** The files of a version, of which nothing but what its name says is believed. */
  async readCode(id: string, node: ClientHttp2Session, { version }: Pick<Code, 'version'>): Promise<Files> {
    const ask = node.request({ ':path': '/', ':authority': 'code.invalid', 'x-plinth-run': id });
    const text = await readAtMost(ask.end(), mostCodeBytes);
    const files = JSON.parse(text ?? '{}') as Files;
    if (digestOf(files) !== version) throw new SandboxError('crashed', 'The code was corrupted in transit.');
    return files;
  }
}

function ofAnswer(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  const kept: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !name.startsWith(':')) kept[name] = value;
  return kept;
}
