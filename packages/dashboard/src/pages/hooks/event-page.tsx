import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { deliveryQuery } from '../../api/deliveries.ts';
import { type FunctionDelivery, laneOf } from '../../api/hooks.ts';
import { Refusal } from '../../api/management.ts';
import { codeTexts } from '../../code-texts.ts';
import { Page } from '../../frame/page.tsx';
import { Head } from '../../kit/head.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Section } from '../../kit/section.tsx';
import { Wait } from '../../kit/wait.tsx';
import { AboutDelivery } from '../deliveries/about-delivery.tsx';
import { LongText, readable } from '../deliveries/long-text.tsx';
import { Notice } from '../deliveries/notice.tsx';
import { ReplayOne } from '../deliveries/replay-one.tsx';

const { hooks: words } = codeTexts;

/** One event that a function is to run for, whole. */
export function EventPage() {
  const { ref, name, event: id } = useParams({ from: '/signed-in/p/$ref/hooks/$name/events/$event' });
  const lane = laneOf(ref, name);
  const { data: event, error } = useQuery(deliveryQuery<FunctionDelivery>(lane, id));
  // What a function has run for is not kept.
  const isOver = event !== undefined && error instanceof Refusal && error.status === 404;
  return (
    <Page>
      <Link
        to="/p/$ref/hooks/$name"
        params={{ ref, name }}
        search={event?.status === 'dead' ? { status: 'dead' } : {}}
      >
        {words.back}
      </Link>
      {isOver && <Notice>{words.done}</Notice>}
      {error && !isOver && <Problem error={error} />}
      {!event && !error && <Wait lines={8} />}
      {event && (
        <>
          <Head title={event.type}>{!isOver && <ReplayOne lane={lane} delivery={event} />}</Head>
          {!isOver && <AboutDelivery delivery={event} />}
          <Section title={codeTexts.deliveries.payload} lead={words.payloadText}>
            <LongText text={readable(event.payload)} label={codeTexts.deliveries.payload} />
          </Section>
        </>
      )}
    </Page>
  );
}
