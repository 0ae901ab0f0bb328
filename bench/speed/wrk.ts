import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** What one run of a contender gave. */
export interface Rate {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers that were no success, and connections that broke. */
  readonly failures: number;
}

export interface Load {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  /** A Lua script that defines `request`. */
  readonly script: string;
}

// What wrk prints for people is rounded: this prints what it knows.
const tellAll = `
function done(summary, latency, requests)
  local failed = summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout
  io.write(string.format("RESULT %d %d %d %d %d\\n", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99), failed))
end
`;

/** Sends requests as fast as they are answered, over kept connections. */
export async function runWrk({ url, connections, seconds, script }: Load): Promise<Rate> {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-wrk-'));
  const file = join(folder, 'load.lua');
  await writeFile(file, script + tellAll);
  try {
    const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '20s', '-s', file, url];
    const { stdout } = await promisify(execFile)('wrk', args);
    const [requests, microseconds, p50, p99, failures] = /RESULT (.*)/
      .exec(stdout)![1]!
      .split(' ')
      .map(Number) as [number, number, number, number, number];
    return {
      perSecond: requests / (microseconds / 1_000_000),
      p50Ms: p50 / 1000,
      p99Ms: p99 / 1000,
      failures,
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}
