import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type OutboxLook, outboxQuery, type SentMessage, useRetryMessage } from '../../api/outbox.ts';
import { Empty } from '../../kit/empty.tsx';
import { LoadMore } from '../../kit/load-more.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Row, Rows } from '../../kit/rows.tsx';
import { Tag } from '../../kit/tag.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { Wait } from '../../kit/wait.tsx';
import { texts } from '../../texts.ts';
import { factsOf } from './outbox-facts.ts';
import { OutboxFilters } from './outbox-filters.tsx';
import { nameOf } from './template-name.ts';

const { outbox: words } = texts;

interface OutboxProps {
  readonly projectRef: string;
  readonly look: OutboxLook;
}

/** What was sent, what waits and what has failed, as it happens. */
export function Outbox({ projectRef: ref, look }: OutboxProps) {
  const navigate = useNavigate({ from: '/p/$ref/messages' });
  const go = (next: OutboxLook) => void navigate({ search: { part: 'outbox', ...next }, replace: true });
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    outboxQuery(ref, look),
  );
  const messages = data?.pages.flatMap((page) => page.data);
  const isFiltered = look.status !== undefined || look.to !== undefined;
  return (
    <>
      <OutboxFilters look={look} onChange={go} />
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!messages && !error && <Wait lines={6} />}
      {messages?.length === 0 && !isFiltered && <Empty title={words.empty} text={words.emptyText} />}
      {messages?.length === 0 && isFiltered && (
        <Empty title={words.noneFits} text={words.noneFitsText}>
          <button type="button" onClick={() => go({})}>
            {words.clear}
          </button>
        </Empty>
      )}
      {messages && messages.length > 0 && <MessageRows projectRef={ref} messages={messages} />}
      <LoadMore of={{ hasNextPage, isFetchingNextPage, fetchNextPage }} />
    </>
  );
}

const tones = { waiting: 'plain', sent: 'good', failed: 'bad' } as const;

/** One that waits after a try that failed is in trouble. */
const toneOf = ({ status, attempts }: SentMessage) =>
  status === 'waiting' && attempts > 0 ? 'warning' : tones[status];

interface MessageRowsProps {
  readonly projectRef: string;
  readonly messages: readonly SentMessage[];
}

function MessageRows({ projectRef, messages }: MessageRowsProps) {
  const retry = useRetryMessage(projectRef);
  const say = useToast();
  return (
    <>
      {retry.error && <Problem error={retry.error} />}
      <Rows>
        {messages.map((message) => (
          <Row key={message.id} title={message.to} facts={factsOf(message)}>
            <Tag tone={toneOf(message)}>{words.statuses[message.status]}</Tag>
            {message.canRetry && (
              <button
                type="button"
                aria-label={words.retryOne(nameOf(message.template), message.to)}
                disabled={retry.isPending}
                onClick={() => retry.mutate(message.id, { onSuccess: () => say({ text: words.retried }) })}
              >
                {words.retry}
              </button>
            )}
          </Row>
        ))}
      </Rows>
    </>
  );
}
