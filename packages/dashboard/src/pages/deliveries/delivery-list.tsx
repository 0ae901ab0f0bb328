import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type DeliveryStatus, deliveriesQuery } from '../../api/deliveries.ts';
import { Empty } from '../../kit/empty.tsx';
import { LoadMore } from '../../kit/load-more.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Row, Rows } from '../../kit/rows.tsx';
import { Wait } from '../../kit/wait.tsx';
import css from './deliveries.module.css';
import { factsOf } from './delivery-facts.ts';
import { ReplayOne } from './replay-one.tsx';

interface DeliveryListProps {
  /** Whose deliveries, as the service names it. */
  readonly lane: string;
  readonly status: DeliveryStatus;
  readonly none: { readonly title: string; readonly text: string };
  /** A link to one of them. */
  readonly children: (id: string, type: string) => ReactNode;
}

/** What was told, waits to be told, or could not be told, as it happens. */
export function DeliveryList({ lane, status, none, children }: DeliveryListProps) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    deliveriesQuery(lane, status),
  );
  const found = data?.pages.flatMap((page) => page.data);
  return (
    <div className={css.list}>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!found && !error && <Wait lines={5} />}
      {found?.length === 0 && <Empty title={none.title} text={none.text} />}
      {found && found.length > 0 && (
        <Rows>
          {found.map((delivery, at) => (
            <Row
              // The same event may have been delivered more than once.
              key={`${delivery.id} ${found.length - at}`}
              title={
                <span className={css.title}>
                  {children(delivery.id, delivery.type)}
                  <code>…{delivery.id.slice(-8)}</code>
                </span>
              }
              facts={factsOf(delivery)}
            >
              <ReplayOne lane={lane} delivery={delivery} />
            </Row>
          ))}
        </Rows>
      )}
      <LoadMore of={{ hasNextPage, isFetchingNextPage, fetchNextPage }} />
    </div>
  );
}
