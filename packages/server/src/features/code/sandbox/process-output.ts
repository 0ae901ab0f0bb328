import type { Readable } from 'node:stream';
import { ByteBucket } from '../../../platform/concurrency/byte-bucket.ts';
import { guarded } from '../../../platform/guarded.ts';
import type { LogLine } from './invocation.ts';

export interface OutputReader {
  onReady(): void;
  /** A line of the log; without a call where it was printed outside one. */
  onLine(line: LogLine, call: string | undefined): void;
  /** All that a call asked to be waited for has ended. */
  onDone(call: string): void;
}

/** Burst of log output of one function process, in bytes. @limit - */
const burstBytes = 262_144;
/** Log output per second after that burst, in bytes. @limit - */
const bytesPerSecond = 65_536;
/** A line that does not end is cut here. */
const longestLine = 65_536;

/** Bytes that are read of a process within a second, of whatever it prints: reading takes time that all projects share. */
const mostReadBytes = 2 * 1_048_576;

const levels = new Set(['debug', 'info', 'warn', 'error']);

/** Reads what a process prints. What is past its share is dropped before it is looked at, and counted. */
export function readOutput(output: Readable, reader: OutputReader): void {
  readSlowly(output);
  const budget = new ByteBucket({ burst: burstBytes, perSecond: bytesPerSecond });
  let dropped = 0;
  let rest = '';
  const take = (line: string) => {
    const isOurs = line.startsWith('\x1e');
    if (line.startsWith('\x1e{"t":"ready"')) return reader.onReady();
    if (line.startsWith('\x1e{"t":"done"')) {
      const { call } = parse(line);
      return call === undefined ? undefined : reader.onDone(call);
    }
    if (line === '') return;
    if (!budget.take(line.length)) {
      dropped += 1;
      return;
    }
    if (dropped > 0) reader.onLine(warning(`${dropped} lines were dropped: too many at once.`), undefined);
    dropped = 0;
    if (!isOurs) return reader.onLine({ at: Date.now(), level: 'info', text: line }, undefined);
    const { call, level = '', text = '', at } = parse(line);
    reader.onLine(
      {
        at: typeof at === 'number' ? at : Date.now(),
        level: levels.has(level) ? (level as LogLine['level']) : 'info',
        text,
      },
      call,
    );
  };
  output.setEncoding('utf8').on(
    'data',
    guarded(
      () => {},
      (chunk: string) => {
        rest += chunk;
        const lines = rest.split('\n');
        rest = lines.pop() ?? '';
        if (rest.length > longestLine) rest = rest.slice(0, longestLine);
        for (const line of lines) take(line);
      },
    ),
  );
}

/** A process that prints more waits until it is read. */
export function readSlowly(output: Readable): void {
  let bytes = 0;
  let since = performance.now();
  const goOn = guarded(
    () => {},
    () => void output.resume(),
  );
  output.on(
    'data',
    guarded(
      () => {},
      (chunk: string | Buffer) => {
        const passed = performance.now() - since;
        if (passed > 1000) {
          bytes = 0;
          since = performance.now();
        }
        bytes += chunk.length;
        if (bytes < mostReadBytes) return;
        output.pause();
        setTimeout(goOn, Math.max(1, 1000 - passed)).unref();
      },
    ),
  );
}

const warning = (text: string): LogLine => ({ at: Date.now(), level: 'warn', text });

function parse(line: string): { call?: string; level?: string; text?: string; at?: unknown } {
  try {
    const { call, level, text, at } = JSON.parse(line.slice(1)) as Record<string, unknown>;
    return {
      ...(typeof call === 'string' && { call }),
      ...(typeof level === 'string' && { level }),
      ...(typeof text === 'string' && { text }),
      at,
    };
  } catch {
    // Only the runner marks its lines so; whoever forges them has printed nothing.
    return {};
  }
}
