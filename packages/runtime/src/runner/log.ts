import type { Calls } from './calls.ts';

const encoder = new TextEncoder();
/** Characters of a line that are kept. */
const longestLine = 8192;
const levels = ['debug', 'log', 'info', 'warn', 'error'] as const;

/** One line to the supervisor, written at once: what was logged before a kill is not lost. */
export function tell(message: Readonly<Record<string, unknown>>): void {
  const bytes = encoder.encode(`\x1e${JSON.stringify(message)}\n`);
  for (let at = 0; at < bytes.length; ) at += Deno.stdout.writeSync(bytes.subarray(at));
}

/** What the code prints goes to the log of the call that prints it. */
export function captureConsole(calls: Calls): void {
  for (const level of levels)
    console[level] = (...parts: unknown[]) =>
      tell({
        t: 'log',
        call: calls.current?.id,
        level: level === 'log' ? 'info' : level,
        at: Date.now(),
        text: parts.map(show).join(' ').slice(0, longestLine),
      });
}

function show(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof Error) return value.stack ?? String(value);
  return Deno.inspect(value, { depth: 4, colors: false });
}
