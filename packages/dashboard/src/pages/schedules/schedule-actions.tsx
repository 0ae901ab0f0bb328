import { type Schedule, usePauseSchedule, useRunSchedule } from '../../api/schedules.ts';
import { codeTexts } from '../../code-texts.ts';
import { Problem } from '../../kit/problem.tsx';
import { useToast } from '../../kit/toasts.tsx';

const { schedules: words } = codeTexts;

interface ScheduleActionsProps {
  readonly projectRef: string;
  readonly schedule: Schedule;
}

/** Runs a schedule now, and stops it for a while. */
export function ScheduleActions({ projectRef, schedule: { name, isPaused } }: ScheduleActionsProps) {
  const pause = usePauseSchedule(projectRef, name);
  const run = useRunSchedule(projectRef, name);
  const say = useToast();
  const setPaused = (next: boolean) =>
    pause.mutate(next, {
      onSuccess: () =>
        say({ text: (next ? words.paused : words.resumed)(name), undo: () => pause.mutate(!next) }),
    });
  const error = pause.error ?? run.error;
  return (
    <>
      {error && <Problem error={error} />}
      <button
        type="button"
        aria-label={words.runOne(name)}
        disabled={run.isPending}
        onClick={() => run.mutate(undefined, { onSuccess: () => say({ text: words.begun(name) }) })}
      >
        {words.run}
      </button>
      <button
        type="button"
        aria-label={(isPaused ? words.resumeOne : words.pauseOne)(name)}
        disabled={pause.isPending}
        onClick={() => setPaused(!isPaused)}
      >
        {isPaused ? words.resume : words.pause}
      </button>
    </>
  );
}
