import type { Outcome } from './conduct.ts';

/** What was promised and not kept, in sentences. */
export function missesOf(outcome: Outcome): string[] {
  const counted = (['lost', 'doubled', 'missing', 'invented'] as const).flatMap((bar) => {
    const found = outcome[bar];
    const some = found.slice(0, 3).join('; ');
    return found.length === 0 ? [] : [`${found.length} ${bar}, such as ${some}.`];
  });
  const most = outcome.engineGapMs + outcome.graceMs;
  const gaps = (['writeGapMs', 'readGapMs'] as const).flatMap((bar) => {
    const who = bar === 'writeGapMs' ? 'Writers' : 'Readers';
    const ms = Math.round(outcome[bar]);
    return ms <= most
      ? []
      : [`${who} waited ${ms} ms, and the database alone took ${Math.round(outcome.engineGapMs)}.`];
  });
  return [
    ...counted,
    ...gaps,
    ...outcome.complaints,
    ...(outcome.isWell ? [] : ['A node did not get well by itself.']),
  ];
}
