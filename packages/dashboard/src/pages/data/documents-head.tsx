import { type ReactNode, useSyncExternalStore } from 'react';
import { projectClient } from '../../api/project-client.ts';
import { LiveState } from '../../kit/live-state.tsx';
import { texts } from '../../texts.ts';
import css from './data-page.module.css';

const { data: words } = texts;
interface DocumentsHeadProps {
  readonly projectRef: string;
  readonly collection: string;
  readonly total: { readonly total: number; readonly isFloor: boolean } | undefined;
  /** What can be done with the collection. */
  readonly children: ReactNode;
}

/** Which collection it is, how large, and whether changes are seen as they happen. */
export function DocumentsHead({ projectRef, collection, total, children }: DocumentsHeadProps) {
  const { connection } = projectClient(projectRef);
  const status = useSyncExternalStore(connection.subscribe, connection.get);
  return (
    <header className={css.head}>
      <h1>{collection}</h1>
      {total && <span className={css.total}>{words.documents(total.total, total.isFloor)}</span>}
      <div className={css.follows}>
        <LiveState state={status} text={words.states[status]} />
      </div>
      <div className={css.actions}>{children}</div>
    </header>
  );
}
