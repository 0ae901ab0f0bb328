import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { type Webhook, webhooksQuery } from '../../api/webhooks.ts';
import { codeTexts } from '../../code-texts.ts';
import { Page } from '../../frame/page.tsx';
import { Empty } from '../../kit/empty.tsx';
import { Head } from '../../kit/head.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Row, Rows } from '../../kit/rows.tsx';
import { Wait } from '../../kit/wait.tsx';
import { when } from '../../kit/when.ts';
import { countText } from '../deliveries/count-text.ts';
import { NewWebhookDialog } from './new-webhook.tsx';
import { nameOf, WebhookState } from './webhook-state.tsx';
import css from './webhooks.module.css';

const { webhooks: words } = codeTexts;

/** Who is told what happens, and how that goes. */
export function WebhooksPage() {
  const { ref } = useParams({ from: '/signed-in/p/$ref/webhooks' });
  const { data: webhooks, error, refetch } = useQuery(webhooksQuery(ref));
  const [isMaking, setMaking] = useState(false);
  const make = (
    <button type="button" data-kind="main" onClick={() => setMaking(true)}>
      {words.make}
    </button>
  );
  return (
    <Page>
      <Head title={words.title} lead={words.lead}>
        {webhooks && webhooks.length > 0 && make}
      </Head>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!webhooks && !error && <Wait />}
      {webhooks?.length === 0 && (
        <Empty title={words.empty} text={words.emptyText}>
          {make}
        </Empty>
      )}
      {webhooks && webhooks.length > 0 && (
        <Rows>
          {webhooks.map((webhook) => (
            <Row
              key={webhook.id}
              title={<WebhookTitle projectRef={ref} webhook={webhook} />}
              facts={factsOf(webhook)}
            >
              <WebhookState webhook={webhook} />
            </Row>
          ))}
        </Rows>
      )}
      {isMaking && <NewWebhookDialog projectRef={ref} onClose={() => setMaking(false)} />}
    </Page>
  );
}

interface WebhookTitleProps {
  readonly projectRef: string;
  readonly webhook: Webhook;
}

function WebhookTitle({ projectRef: ref, webhook }: WebhookTitleProps) {
  return (
    <span className={css.title}>
      <Link to="/p/$ref/webhooks/$webhook" params={{ ref, webhook: webhook.id }} search={{}}>
        {nameOf(webhook)}
      </Link>
      {webhook.events.map((event) => (
        <code key={event}>{event}</code>
      ))}
    </span>
  );
}

function factsOf({ url, description, filter, health }: Webhook): string {
  const { facts } = words;
  const { lastAt, lastDelivered, waiting, dead } = health;
  return [
    ...(description ? [new URL(url).host] : []),
    lastAt === null ? words.states.resting : facts.last(when(lastAt), lastDelivered === true),
    ...(waiting > 0 ? [facts.waiting(countText(waiting))] : []),
    ...(dead > 0 ? [facts.dead(countText(dead))] : []),
    ...(filter ? [facts.filter(filter)] : []),
  ].join(', ');
}
