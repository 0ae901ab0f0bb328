import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type BeforeHook, beforeHooksOf, deploymentsQuery } from '../../api/functions.ts';
import { type BackgroundFunction, backgroundQuery } from '../../api/hooks.ts';
import { codeTexts } from '../../code-texts.ts';
import { Page } from '../../frame/page.tsx';
import { Empty } from '../../kit/empty.tsx';
import { Head } from '../../kit/head.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Row, Rows } from '../../kit/rows.tsx';
import { Section } from '../../kit/section.tsx';
import { Wait } from '../../kit/wait.tsx';
import { countText } from '../deliveries/count-text.ts';
import css from '../deliveries/deliveries.module.css';
import { LongText } from '../deliveries/long-text.tsx';
import { HookState } from './hook-state.tsx';

const { hooks: words } = codeTexts;

/** What runs by itself, after which events, and what waits for it. */
export function HooksPage() {
  const { ref } = useParams({ from: '/signed-in/p/$ref/hooks' });
  const { data: functions, error, refetch } = useQuery(backgroundQuery(ref));
  const { data: before = [] } = useQuery({ ...deploymentsQuery(ref), select: beforeHooksOf });
  const groups = groupsOf(functions ?? []);
  return (
    <Page>
      <Head title={words.title} lead={words.lead} />
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!functions && !error && <Wait />}
      {functions?.length === 0 && before.length === 0 && (
        <Empty title={words.empty} text={words.emptyText}>
          <LongText text={words.example} label={words.exampleLabel} />
        </Empty>
      )}
      {before.length > 0 && <BeforeEvents projectRef={ref} hooks={before} />}
      {groups.map(
        ({ title, lead, members }) =>
          members.length > 0 && (
            <Section key={title} title={title} {...(lead !== undefined && { lead })}>
              <Rows>
                {members.map((one) => (
                  <Row key={one.name} title={<HookTitle projectRef={ref} hook={one} />} facts={factsOf(one)}>
                    <HookState hook={one} />
                  </Row>
                ))}
              </Rows>
            </Section>
          ),
      )}
    </Page>
  );
}

interface BeforeEventsProps {
  readonly projectRef: string;
  readonly hooks: readonly BeforeHook[];
}

/** What is asked before something is written. */
function BeforeEvents({ projectRef: ref, hooks }: BeforeEventsProps) {
  return (
    <Section title={words.beforeEvents} lead={words.beforeEventsText}>
      <Rows>
        {hooks.map(({ name, event, collection = 'users' }) => (
          <Row
            key={name}
            title={
              <span className={css.title}>
                <Link to="/p/$ref/functions/$function" params={{ ref, function: name }} search={{}}>
                  {name}
                </Link>
                <code>{`${collection}.${event.slice('pre_'.length)}`}</code>
              </span>
            }
            facts={words.beforeFacts}
          />
        ))}
      </Rows>
    </Section>
  );
}

interface Group {
  readonly title: string;
  readonly lead?: string;
  readonly members: readonly BackgroundFunction[];
}

function groupsOf(functions: readonly BackgroundFunction[]): Group[] {
  const present = functions.filter(({ kind }) => kind !== null);
  return [
    { title: words.afterEvents, members: present.filter(({ kind }) => kind === 'hook') },
    { title: words.others, lead: words.othersText, members: present.filter(({ kind }) => kind !== 'hook') },
    { title: words.gone, lead: words.goneText, members: functions.filter(({ kind }) => kind === null) },
  ];
}

interface HookTitleProps {
  readonly projectRef: string;
  readonly hook: BackgroundFunction;
}

function HookTitle({ projectRef: ref, hook: { name, events, kind } }: HookTitleProps) {
  return (
    <span className={css.title}>
      <Link to="/p/$ref/hooks/$name" params={{ ref, name }} search={{}}>
        {name}
      </Link>
      {events.map((event) => (
        <code key={event}>{event}</code>
      ))}
      {events.length === 0 && kind !== null && <code>{words.kinds[kind]}</code>}
    </span>
  );
}

function factsOf({ health: { waiting, dead } }: BackgroundFunction): string {
  const facts = [
    ...(waiting > 0 ? [words.waiting(countText(waiting))] : []),
    ...(dead > 0 ? [words.dead(countText(dead))] : []),
  ];
  return facts.length === 0 ? words.calm : facts.join(', ');
}
