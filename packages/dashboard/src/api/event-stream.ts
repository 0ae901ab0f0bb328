import { ownHeaders } from './management.ts';

interface EventStream {
  readonly path: string;
  readonly event: string;
  readonly signal: AbortSignal;
  /** The service has begun to tell. */
  readonly onOpen: () => void;
  readonly onData: (data: unknown) => void;
}

/**
 * Hears of events of the service until it ends the stream. By fetch: an `EventSource` could not send the header by which
 * the service knows its own pages.
 */
export async function readEvents({ path, event, signal, onOpen, onData }: EventStream): Promise<void> {
  const { ok, status, body } = await fetch(`/management${path}`, {
    headers: ownHeaders,
    signal,
  });
  if (!ok || !body) throw new Error(`The service responded with ${status}.`);
  onOpen();
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const blocks = `${text}${part.value}`.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const [name, data] = [fieldOf(block, 'event'), fieldOf(block, 'data')];
      if (name === event && data !== undefined) onData(JSON.parse(data));
    }
  }
}

function fieldOf(block: string, name: string): string | undefined {
  const line = block.split('\n').find((one) => one.startsWith(`${name}: `));
  return line?.slice(name.length + 2);
}
