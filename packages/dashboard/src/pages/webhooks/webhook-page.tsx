import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import type { DeliveryStatus } from '../../api/deliveries.ts';
import { laneOf, type Webhook, webhookQuery } from '../../api/webhooks.ts';
import { codeTexts } from '../../code-texts.ts';
import { Page } from '../../frame/page.tsx';
import { Copyable } from '../../kit/copyable.tsx';
import { moment } from '../../kit/figures.ts';
import { Head } from '../../kit/head.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Section } from '../../kit/section.tsx';
import { Tabs } from '../../kit/tabs.tsx';
import { Wait } from '../../kit/wait.tsx';
import { when } from '../../kit/when.ts';
import { countText } from '../deliveries/count-text.ts';
import css from '../deliveries/deliveries.module.css';
import { DeliveryList } from '../deliveries/delivery-list.tsx';
import { Fact, Facts } from '../deliveries/facts.tsx';
import { HealthNotices, Notice } from '../deliveries/notice.tsx';
import { ReplaySeveral } from '../deliveries/replay-several.tsx';
import { webhookStatuses } from './statuses.ts';
import { WebhookActions } from './webhook-actions.tsx';
import { WebhookEnd } from './webhook-end.tsx';
import { nameOf, WebhookState } from './webhook-state.tsx';

const { webhooks: words } = codeTexts;
const from = '/signed-in/p/$ref/webhooks/$webhook';

/** One webhook: how it goes, what it was told, and what can be done with it. */
export function WebhookPage() {
  const { ref, webhook: id } = useParams({ from });
  const { status = 'delivered' } = useSearch({ from });
  const { data: webhook, error } = useQuery(webhookQuery(ref, id));
  return (
    <Page>
      <Link to="/p/$ref/webhooks" params={{ ref }}>
        {words.backToAll}
      </Link>
      {error && <Problem error={error} />}
      {!webhook && !error && <Wait lines={8} />}
      {webhook && (
        <>
          <Head title={nameOf(webhook)} lead={<WebhookState webhook={webhook} />}>
            <WebhookActions projectRef={ref} webhook={webhook} />
          </Head>
          <About webhook={webhook} />
          <Deliveries projectRef={ref} webhook={webhook} status={status} />
          <WebhookEnd projectRef={ref} id={id} />
        </>
      )}
    </Page>
  );
}

function About({ webhook }: { readonly webhook: Webhook }) {
  const { url, events, filter, ordered, disabledAt, disabledReason, catchingUp, health, createdAt } = webhook;
  return (
    <>
      {disabledAt !== null && disabledReason !== null && (
        <Notice tone={disabledReason === 'paused' ? 'warning' : 'bad'}>
          {words.disabled[disabledReason](when(disabledAt))}
        </Notice>
      )}
      {disabledAt === null && <HealthNotices health={health} />}
      {catchingUp && <Notice>{words.catchingUp}</Notice>}
      <Copyable text={url} label={words.url} />
      <Facts>
        <Fact name={words.events}>
          {events.map((event) => (
            <code key={event}>{event}</code>
          ))}
        </Fact>
        {filter !== null && (
          <Fact name={words.filterFact}>
            <code>{filter}</code>
          </Fact>
        )}
        <Fact name={words.orderFact}>{ordered ? words.orders.ordered : words.orders.free}</Fact>
        <Fact name={words.made}>{moment(createdAt)}</Fact>
      </Facts>
    </>
  );
}

const none = {
  delivered: { title: words.noneDelivered, text: words.noneDeliveredText },
  waiting: { title: words.noneWaiting, text: words.noneWaitingText },
  dead: { title: words.noneDead, text: words.noneDeadText },
} as const;

interface DeliveriesProps {
  readonly projectRef: string;
  readonly webhook: Webhook;
  readonly status: DeliveryStatus;
}

function Deliveries({ projectRef: ref, webhook: { id, health }, status }: DeliveriesProps) {
  const lane = laneOf(ref, id);
  const counts = { delivered: 0, waiting: health.waiting, dead: health.dead };
  const { statuses, withCount } = codeTexts.deliveries;
  return (
    <Section title={words.deliveries}>
      <div className={css.bar}>
        <Tabs label={codeTexts.deliveries.parts}>
          {webhookStatuses.map((one) => (
            <Link
              key={one}
              to="/p/$ref/webhooks/$webhook"
              params={{ ref, webhook: id }}
              search={one === 'delivered' ? {} : { status: one }}
              activeOptions={{ exact: true, includeSearch: true }}
              replace
            >
              {counts[one] > 0 ? withCount(statuses[one], countText(counts[one])) : statuses[one]}
            </Link>
          ))}
        </Tabs>
        <ReplaySeveral lane={lane} />
      </div>
      <DeliveryList key={status} lane={lane} status={status} none={none[status]}>
        {(delivery, type) => (
          <Link to="/p/$ref/webhooks/$webhook/deliveries/$delivery" params={{ ref, webhook: id, delivery }}>
            {type}
          </Link>
        )}
      </DeliveryList>
    </Section>
  );
}
