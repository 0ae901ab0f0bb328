import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { backgroundFunctionQuery } from '../../api/hooks.ts';
import { type Schedule, schedulesQuery } from '../../api/schedules.ts';
import { codeTexts } from '../../code-texts.ts';
import { Page } from '../../frame/page.tsx';
import { NotFoundPage } from '../../frame/problem-page.tsx';
import { Head } from '../../kit/head.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Section } from '../../kit/section.tsx';
import { Table } from '../../kit/table.tsx';
import { Tag } from '../../kit/tag.tsx';
import { Wait } from '../../kit/wait.tsx';
import { when } from '../../kit/when.ts';
import { Fact, Facts } from '../deliveries/facts.tsx';
import { HealthNotices } from '../deliveries/notice.tsx';
import { RunsOf } from '../functions/runs-of.tsx';
import { ScheduleActions } from './schedule-actions.tsx';
import { ownZone, zoned } from './zoned.ts';

const { schedules: words } = codeTexts;

/** One schedule: when it runs, and what it did. */
export function SchedulePage() {
  const { ref, name } = useParams({ from: '/signed-in/p/$ref/schedules/$name' });
  const { data: schedules, error } = useQuery(schedulesQuery(ref));
  const schedule = schedules?.find((one) => one.name === name);
  if (schedules && !schedule) return <NotFoundPage />;
  return (
    <Page>
      <Link to="/p/$ref/schedules" params={{ ref }}>
        {words.backToAll}
      </Link>
      {error && <Problem error={error} />}
      {!schedule && !error && <Wait lines={8} />}
      {schedule && (
        <>
          <Head
            title={name}
            lead={
              schedule.isPaused ? (
                <Tag tone="warning">{words.states.paused}</Tag>
              ) : (
                <Tag tone="good">{words.states.runs}</Tag>
              )
            }
          >
            <ScheduleActions projectRef={ref} schedule={schedule} />
          </Head>
          <Failures projectRef={ref} name={name} />
          <About schedule={schedule} />
          <Upcoming schedule={schedule} />
          <Section title={words.history} lead={words.historyText}>
            <RunsOf projectRef={ref} name={name} none={{ title: words.noRuns, text: words.noRunsText }} />
          </Section>
        </>
      )}
    </Page>
  );
}

interface FailuresProps {
  readonly projectRef: string;
  readonly name: string;
}

/** Runs that failed wait as events do: the page of hooks has them. */
function Failures({ projectRef: ref, name }: FailuresProps) {
  const { data } = useQuery(backgroundFunctionQuery(ref, name));
  if (!data) return null;
  const { health } = data;
  return (
    <>
      <HealthNotices health={health} />
      {health.failingSince !== null || health.dead > 0 ? (
        <Link
          to="/p/$ref/hooks/$name"
          params={{ ref, name }}
          search={health.waiting === 0 ? { status: 'dead' } : {}}
        >
          {words.failed}
        </Link>
      ) : null}
    </>
  );
}

function About({ schedule: { cron, timeZone, missed, overlap } }: { readonly schedule: Schedule }) {
  return (
    <Facts>
      <Fact name={words.cron}>
        <code>{cron}</code>
      </Fact>
      <Fact name={words.zone}>{timeZone}</Fact>
      <Fact name={words.missed}>{words.missedOnes[missed]}</Fact>
      <Fact name={words.overlap}>{words.overlaps[overlap]}</Fact>
    </Facts>
  );
}

function Upcoming({ schedule: { upcoming, timeZone, isPaused } }: { readonly schedule: Schedule }) {
  const own = ownZone();
  if (upcoming.length === 0)
    return (
      <Section title={words.upcoming}>
        <p>{isPaused ? words.noUpcoming : words.never}</p>
      </Section>
    );
  return (
    <Section title={words.upcoming}>
      <Table label={words.upcomingTable} heads={words.upcomingHeads(own, timeZone)}>
        {upcoming.map((time) => (
          <tr key={time}>
            <td>{zoned(time, own)}</td>
            <td>{zoned(time, timeZone)}</td>
            <td>{when(time)}</td>
          </tr>
        ))}
      </Table>
    </Section>
  );
}
