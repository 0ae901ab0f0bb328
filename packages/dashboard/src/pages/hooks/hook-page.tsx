import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import {
  type BackgroundFunction,
  backgroundFunctionQuery,
  laneOf,
  useEnableFunction,
} from '../../api/hooks.ts';
import { codeTexts } from '../../code-texts.ts';
import { Page } from '../../frame/page.tsx';
import { Head } from '../../kit/head.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Section } from '../../kit/section.tsx';
import { Tabs } from '../../kit/tabs.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { Wait } from '../../kit/wait.tsx';
import { when } from '../../kit/when.ts';
import { countText } from '../deliveries/count-text.ts';
import css from '../deliveries/deliveries.module.css';
import { DeliveryList } from '../deliveries/delivery-list.tsx';
import { Fact, Facts } from '../deliveries/facts.tsx';
import { HealthNotices, Notice } from '../deliveries/notice.tsx';
import { ReplaySeveral } from '../deliveries/replay-several.tsx';
import { RunsOf } from '../functions/runs-of.tsx';
import { HookState } from './hook-state.tsx';

const { hooks: words } = codeTexts;
const from = '/signed-in/p/$ref/hooks/$name';

/** One function that runs by itself: what waits for it, what it could not do, what it did. */
export function HookPage() {
  const { ref, name } = useParams({ from });
  const { status = 'waiting' } = useSearch({ from });
  const { data: hook, error } = useQuery(backgroundFunctionQuery(ref, name));
  return (
    <Page>
      <Link to="/p/$ref/hooks" params={{ ref }}>
        {words.backToAll}
      </Link>
      {error && <Problem error={error} />}
      {!hook && !error && <Wait lines={8} />}
      {hook && (
        <>
          <Head title={name} lead={<HookState hook={hook} />}>
            {hook.disabledReason !== 'gone' && <Pause projectRef={ref} hook={hook} />}
          </Head>
          <About hook={hook} />
          <Queue projectRef={ref} hook={hook} status={status} />
          <Section title={words.runs} lead={words.runsText}>
            <RunsOf projectRef={ref} name={name} none={{ title: words.noRuns, text: words.noRunsText }} />
          </Section>
        </>
      )}
    </Page>
  );
}

interface AboutHook {
  readonly projectRef: string;
  readonly hook: BackgroundFunction;
}

function Pause({ projectRef, hook: { name, enabled } }: AboutHook) {
  const change = useEnableFunction(projectRef, name);
  const say = useToast();
  const setEnabled = (next: boolean) =>
    change.mutate(next, {
      onSuccess: () =>
        say(next ? { text: words.resumed } : { text: words.paused, undo: () => change.mutate(true) }),
    });
  return (
    <>
      {change.error && <Problem error={change.error} />}
      <button type="button" disabled={change.isPending} onClick={() => setEnabled(!enabled)}>
        {enabled ? words.pause : words.resume}
      </button>
    </>
  );
}

function About({ hook }: { readonly hook: BackgroundFunction }) {
  const { kind, events, ordered, disabledAt, disabledReason, catchingUp, health } = hook;
  return (
    <>
      {disabledAt !== null && disabledReason !== null && (
        <Notice tone={disabledReason === 'paused' || disabledReason === 'gone' ? 'warning' : 'bad'}>
          {words.disabled[disabledReason](when(disabledAt))}
        </Notice>
      )}
      {disabledAt === null && <HealthNotices health={health} />}
      {catchingUp && <Notice>{words.catchingUp}</Notice>}
      <Facts>
        {events.length > 0 && (
          <Fact name={words.events}>
            {events.map((event) => (
              <code key={event}>{event}</code>
            ))}
          </Fact>
        )}
        {kind !== null && <Fact name={words.kind}>{words.kinds[kind]}</Fact>}
        <Fact name={words.orderFact}>{ordered ? words.orders.ordered : words.orders.free}</Fact>
      </Facts>
    </>
  );
}

const none = {
  waiting: { title: words.noneWaiting, text: words.noneWaitingText },
  dead: { title: words.noneDead, text: words.noneDeadText },
} as const;

function Queue({
  projectRef: ref,
  hook: { name, health },
  status,
}: AboutHook & { readonly status: 'waiting' | 'dead' }) {
  const lane = laneOf(ref, name);
  const { statuses, withCount } = codeTexts.deliveries;
  return (
    <Section title={words.queue}>
      <div className={css.bar}>
        <Tabs label={codeTexts.deliveries.parts}>
          {(['waiting', 'dead'] as const).map((one) => (
            <Link
              key={one}
              to="/p/$ref/hooks/$name"
              params={{ ref, name }}
              search={one === 'dead' ? { status: one } : {}}
              activeOptions={{ exact: true, includeSearch: true }}
              replace
            >
              {health[one] > 0 ? withCount(statuses[one], countText(health[one])) : statuses[one]}
            </Link>
          ))}
        </Tabs>
        <ReplaySeveral lane={lane} />
      </div>
      <DeliveryList key={status} lane={lane} status={status} none={none[status]}>
        {(event, type) => (
          <Link to="/p/$ref/hooks/$name/events/$event" params={{ ref, name, event }}>
            {type}
          </Link>
        )}
      </DeliveryList>
    </Section>
  );
}
