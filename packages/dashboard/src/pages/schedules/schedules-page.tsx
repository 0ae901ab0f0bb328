import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type Schedule, schedulesQuery } from '../../api/schedules.ts';
import { codeTexts } from '../../code-texts.ts';
import { Page } from '../../frame/page.tsx';
import { Empty } from '../../kit/empty.tsx';
import { Head } from '../../kit/head.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Row, Rows } from '../../kit/rows.tsx';
import { Tag } from '../../kit/tag.tsx';
import { Wait } from '../../kit/wait.tsx';
import { when } from '../../kit/when.ts';
import css from '../deliveries/deliveries.module.css';
import { LongText } from '../deliveries/long-text.tsx';
import { ScheduleActions } from './schedule-actions.tsx';
import { ownZone, zoned } from './zoned.ts';

const { schedules: words } = codeTexts;

/** What runs at set times, and when it does so next. */
export function SchedulesPage() {
  const { ref } = useParams({ from: '/signed-in/p/$ref/schedules' });
  const { data: schedules, error, refetch } = useQuery(schedulesQuery(ref));
  return (
    <Page>
      <Head title={words.title} lead={words.lead} />
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!schedules && !error && <Wait />}
      {schedules?.length === 0 && (
        <Empty title={words.empty} text={words.emptyText}>
          <LongText text={words.example} label={words.exampleLabel} />
        </Empty>
      )}
      {schedules && schedules.length > 0 && (
        <Rows>
          {schedules.map((schedule) => (
            <Row
              key={schedule.name}
              title={<ScheduleTitle projectRef={ref} schedule={schedule} />}
              facts={factsOf(schedule)}
            >
              <div className={css.actions}>
                <ScheduleActions projectRef={ref} schedule={schedule} />
              </div>
            </Row>
          ))}
        </Rows>
      )}
    </Page>
  );
}

interface ScheduleTitleProps {
  readonly projectRef: string;
  readonly schedule: Schedule;
}

function ScheduleTitle({ projectRef: ref, schedule: { name, cron, isPaused } }: ScheduleTitleProps) {
  return (
    <span className={css.title}>
      <Link to="/p/$ref/schedules/$name" params={{ ref, name }}>
        {name}
      </Link>
      <code>{cron}</code>
      {isPaused && <Tag tone="warning">{words.states.paused}</Tag>}
    </span>
  );
}

function factsOf({ nextAt, isPaused, timeZone, lastAt }: Schedule): string {
  const own = ownZone();
  return [
    ...(isPaused ? [] : nextAt === null ? [words.never] : [words.next(zoned(nextAt, own), when(nextAt))]),
    ...(isPaused || nextAt === null || timeZone === own
      ? []
      : [words.inZone(zoned(nextAt, timeZone), timeZone)]),
    lastAt === null ? words.neverDue : words.last(when(lastAt)),
  ].join(', ');
}
