import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type LiveNow, liveLimit } from '../../api/live-now.ts';
import { Empty } from '../../kit/empty.tsx';
import { shortCount } from '../../kit/figures.ts';
import { LiveState } from '../../kit/live-state.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Wait } from '../../kit/wait.tsx';
import { texts } from '../../texts.ts';
import css from './realtime-page.module.css';

const { liveNow: words } = texts;

interface NowListProps<Entry> {
  readonly found: UseQueryResult<LiveNow<Entry>>;
  readonly page: number;
  readonly onPage: (page: number) => void;
  readonly count: (count: string, isOne: boolean) => string;
  readonly empty: { readonly title: string; readonly text: string };
  readonly children: (entries: readonly Entry[]) => ReactNode;
}

/** What the nodes have told, and whether all of them have. */
export function NowList<Entry>({ found, page, onPage, count, empty, children }: NowListProps<Entry>) {
  const { data: now, error, isPending, refetch } = found;
  if (error && !now) return <Problem error={error} onRetry={() => void refetch()} />;
  if (isPending || !now) return <Wait lines={5} />;
  const { data: entries, total, totalIsFloor, hasMore } = now;
  const counted = `${shortCount(total)}${totalIsFloor ? '+' : ''}`;
  return (
    <>
      <div className={css.bar}>
        <LiveState
          state={error || now.seen === 'some' ? 'away' : 'live'}
          text={count(counted, total === 1)}
        />
        <span className={css.seen}>{error ? error.message : words.seen[now.seen](now.nodes)}</span>
      </div>
      {entries.length === 0 ? <Empty {...empty} /> : <div className={css.now}>{children(entries)}</div>}
      {(page > 1 || hasMore) && (
        <div className={css.bar}>
          <button type="button" disabled={page === 1} onClick={() => onPage(page - 1)}>
            {words.before}
          </button>
          <span>{words.shown((page - 1) * liveLimit + 1, (page - 1) * liveLimit + entries.length)}</span>
          <button type="button" disabled={!hasMore} onClick={() => onPage(page + 1)}>
            {words.next}
          </button>
        </div>
      )}
    </>
  );
}
