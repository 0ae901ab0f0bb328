import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type UsageRange, type UsageStep, usageQuery } from '../../api/usage.ts';
import { Page } from '../../frame/page.tsx';
import { Choice } from '../../kit/choice.tsx';
import { moment } from '../../kit/figures.ts';
import { Head } from '../../kit/head.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Tabs } from '../../kit/tabs.tsx';
import { Wait } from '../../kit/wait.tsx';
import { texts } from '../../texts.ts';
import { Chart } from './chart.tsx';
import { Holdings } from './holdings.tsx';
import { figures, limitOf, pointsOf, summaryOf, wholeSteps } from './measures.ts';
import css from './usage-page.module.css';
import { type Measure, stepMs, timesOf } from './usage-search.ts';
import { UsageTable } from './usage-table.tsx';

const { usage: words } = texts;
const from = '/signed-in/p/$ref/usage';

/** What the project uses: by time, and what it holds by now. */
export function UsagePage() {
  const { ref } = useParams({ from });
  const search = useSearch({ from });
  const navigate = useNavigate();
  const { range = 'day', measure = 'calls' } = search;
  const times = timesOf(search);
  const { data, error, isPending } = useQuery(usageQuery(ref, times));
  const look = (next: typeof search) => void navigate({ to: '/p/$ref/usage', params: { ref }, search: next });
  return (
    <Page>
      <Head title={words.title}>
        <Choice
          label={words.range}
          words={words.ranges}
          value={range}
          onChange={(next) => look({ range: next, measure })}
        />
      </Head>
      <Tabs label={words.measure}>
        {(Object.keys(figures) as Measure[]).map((one) => (
          <Link
            key={one}
            to="/p/$ref/usage"
            params={{ ref }}
            search={{ ...search, measure: one }}
            data-status={one === measure ? 'active' : undefined}
            aria-current={one === measure ? 'page' : undefined}
            activeOptions={{ exact: true, includeSearch: true }}
          >
            {words.measures[one]}
          </Link>
        ))}
      </Tabs>
      {search.from !== undefined && (
        <p className={css.zoom}>
          {words.zoomed(moment(times.from), moment(times.to))}
          <button type="button" onClick={() => look({ range, measure })}>
            {words.zoomOut}
          </button>
        </p>
      )}
      {error && <Problem error={error} />}
      {isPending && <Wait lines={6} />}
      {data && (
        <Picture
          projectRef={ref}
          measure={measure}
          times={times}
          steps={wholeSteps(data.data, times)}
          callsPerMinute={data.limits.callsPerMinute}
          onZoom={(zoom) => look({ range, measure, ...zoom })}
        />
      )}
      <Holdings projectRef={ref} />
    </Page>
  );
}

interface PictureProps {
  readonly projectRef: string;
  readonly measure: Measure;
  readonly times: UsageRange;
  readonly steps: readonly UsageStep[];
  readonly callsPerMinute: number;
  readonly onZoom: (zoom: { readonly from: number; readonly to: number }) => void;
}

function Picture({ projectRef: ref, measure, times, steps, callsPerMinute, onZoom }: PictureProps) {
  const navigate = useNavigate();
  const startOf = (at: number) => times.from + at * stepMs[times.step];
  const open = (at: number) => {
    const [begin, end] = [startOf(at), startOf(at + 1)].map((time) => new Date(time).toISOString());
    const status = measure === 'failures' ? { status: 'failed' as const } : {};
    const search = { ...(begin && { from: begin }), ...(end && { to: end }), ...status };
    void navigate({ to: '/p/$ref/requests', params: { ref }, search });
  };
  return (
    <>
      <Chart
        key={`${measure} ${times.from} ${times.step}`}
        label={words.chart(words.measures[measure], words.steps[times.step])}
        hint={words.hint}
        points={pointsOf(steps, measure, times.step)}
        summary={summaryOf(steps, measure)}
        format={figures[measure].format}
        {...(measure === 'calls' && { limit: limitOf(callsPerMinute, times.step) })}
        onOpen={open}
        onZoom={(first, last) => onZoom({ from: startOf(first), to: startOf(last + 1) })}
      />
      <UsageTable projectRef={ref} steps={steps} times={times} />
    </>
  );
}
