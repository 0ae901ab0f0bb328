import { createHash } from 'node:crypto';
import { Cron } from 'croner';
import { LRUCache } from 'lru-cache';
import { upTo } from '../../../platform/up-to.ts';
import type { Schedule } from './schedule.ts';

/** Expressions that are kept parsed. */
const keptExpressions = 10_000;
/** Missed runs of a schedule that are made up for. @limit - */
const mostMissed = 100;
/** A run that is later than this is not made up for, unless all of them are. */
const longestLateMs = 3_600_000;
/** Not late: nodes look every second, and the machine may be busy. */
const onTimeMs = 60_000;
/** Those of many projects that are due at the same minute are spread over so many seconds. */
const spreadSeconds = 5;

type Times = Pick<Schedule, 'cron' | 'zone'>;

/** Says when schedules run. */
export class ScheduleTimes {
  readonly #parsed = new LRUCache<string, Cron>(upTo(keptExpressions));

  /** The next time after a moment; null: it never comes again. */
  after({ cron, zone }: Times, moment: Date, projectId: string): Date | null {
    const spread = spreadOf(cron, projectId);
    const next = this.#cron(cron, zone).nextRun(new Date(moment.getTime() - spread));
    return next && new Date(next.getTime() + spread);
  }

  /** The times that were due until now, which are to run, and the next after them. */
  due(
    schedule: Schedule & { readonly nextAt: Date },
    now: Date,
    projectId: string,
  ): { runs: Date[]; after: Date | null } {
    const { missed, nextAt } = schedule;
    const runs: Date[] = [];
    let at: Date | null = nextAt;
    let last = nextAt;
    for (let count = 0; at && at <= now && count < mostMissed; count += 1) {
      runs.push(at);
      last = at;
      at = this.after(schedule, at, projectId);
    }
    // Whatever is still behind is not made up for.
    const after = at && at <= now ? this.after(schedule, now, projectId) : at;
    const isLate = (time: Date, ms: number) => now.getTime() - time.getTime() > ms;
    if (missed === 'all') return { runs, after };
    if (missed === 'skip') return { runs: runs.filter((time) => !isLate(time, onTimeMs)), after };
    return { runs: isLate(last, longestLateMs) ? [] : [last], after };
  }

  #cron(cron: string, zone: string): Cron {
    const key = `${zone} ${cron}`;
    const known = this.#parsed.get(key);
    if (known) return known;
    const parsed = new Cron(cron, { timezone: zone, paused: true });
    this.#parsed.set(key, parsed);
    return parsed;
  }
}

/** A project's part of the seconds after a full minute; none for those that ask for seconds. */
function spreadOf(cron: string, projectId: string): number {
  const hasSeconds = !cron.startsWith('@') && cron.trim().split(/\s+/).length === 6;
  if (hasSeconds) return 0;
  return createHash('sha256').update(projectId).digest().readUInt16BE(0) % (spreadSeconds * 1000);
}
