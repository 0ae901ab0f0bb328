import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { deliveryQuery } from '../../api/deliveries.ts';
import { laneOf, type WebhookDelivery, webhookQuery } from '../../api/webhooks.ts';
import { codeTexts } from '../../code-texts.ts';
import { Page } from '../../frame/page.tsx';
import { duration, moment } from '../../kit/figures.ts';
import { Head } from '../../kit/head.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Section } from '../../kit/section.tsx';
import { Tag } from '../../kit/tag.tsx';
import { Wait } from '../../kit/wait.tsx';
import { AboutDelivery } from '../deliveries/about-delivery.tsx';
import { LongText, readable } from '../deliveries/long-text.tsx';
import { ReplayOne } from '../deliveries/replay-one.tsx';
import css from './webhooks.module.css';

const { webhooks: words } = codeTexts;

/** One delivery, whole: what was sent, and what came back each time. */
export function DeliveryPage() {
  const params = useParams({ from: '/signed-in/p/$ref/webhooks/$webhook/deliveries/$delivery' });
  const { ref, webhook: id } = params;
  const lane = laneOf(ref, id);
  const { data: webhook } = useQuery(webhookQuery(ref, id));
  const { data: delivery, error } = useQuery(deliveryQuery<WebhookDelivery>(lane, params.delivery));
  return (
    <Page>
      <Link
        to="/p/$ref/webhooks/$webhook"
        params={{ ref, webhook: id }}
        search={delivery && delivery.status !== 'delivered' ? { status: delivery.status } : {}}
      >
        {words.back}
      </Link>
      {error && <Problem error={error} />}
      {!delivery && !error && <Wait lines={8} />}
      {delivery && (
        <>
          <Head title={delivery.type}>
            <ReplayOne lane={lane} delivery={delivery} />
          </Head>
          <AboutDelivery delivery={delivery} />
          <Section title={words.request} lead={words.requestText}>
            <LongText text={requestOf(delivery, webhook?.url)} label={words.request} />
          </Section>
          <Attempts delivery={delivery} />
        </>
      )}
    </Page>
  );
}

/** The request as it goes over the wire, but for what each attempt has of its own. */
function requestOf({ id, payload }: WebhookDelivery, url: string | undefined): string {
  return [
    ...(url === undefined ? [] : [`POST ${url}`]),
    'content-type: application/json',
    'user-agent: Plinth-Webhooks/1',
    `webhook-id: ${id}`,
    '',
    readable(payload),
  ].join('\n');
}

function Attempts({ delivery: { tried } }: { readonly delivery: WebhookDelivery }) {
  return (
    <Section title={words.attempts} lead={tried.length > 0 ? words.attemptsText : words.noAttempts}>
      {tried.length > 0 && (
        <ol className={css.attempts}>
          {tried.map(({ attempt, at, isDelivered, ms, error, status, response }) => (
            <li className={css.attempt} key={at}>
              <h3>
                {words.attempt(attempt)}
                <Tag tone={isDelivered ? 'good' : 'bad'}>
                  {status ?? (isDelivered ? codeTexts.deliveries.states.delivered : words.attemptFailed)}
                </Tag>
                <span className={css.quiet}>{`${moment(at)}, ${duration(ms)}`}</span>
              </h3>
              {error !== null && <p>{error}</p>}
              {response ? (
                <LongText text={response} label={words.answer} />
              ) : (
                status !== undefined && <p className={css.quiet}>{words.noAnswer}</p>
              )}
            </li>
          ))}
        </ol>
      )}
    </Section>
  );
}
