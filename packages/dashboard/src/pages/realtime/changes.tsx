import type { LiveStatus } from '@plinth/client';
import { useEffect, useState } from 'react';
import { projectClient } from '../../api/project-client.ts';
import { asError } from '../../as-error.ts';
import { LiveState } from '../../kit/live-state.tsx';
import { Problem } from '../../kit/problem.tsx';
import { texts } from '../../texts.ts';
import { FrameTable } from './frame-table.tsx';
import css from './realtime-page.module.css';
import { useFrames } from './use-frames.ts';

const { realtime: words } = texts;

interface ChangesProps {
  readonly projectRef: string;
  readonly collection: string;
  readonly filter: string;
  readonly onStop: () => void;
}

/** The changes of a collection, as they come. */
export function Changes({ projectRef: ref, collection, filter, onStop }: ChangesProps) {
  const { frames, add, clear } = useFrames();
  const [{ status, error }, setState] = useState<Heard>({ status: 'connecting' });
  useEffect(() => follow({ ref, collection, filter, setState, add }), [ref, collection, filter, add]);
  return (
    <>
      <div className={css.bar}>
        <LiveState state={status} text={words.states[status]} />
        <span className={css.count}>{words.frames(frames.length)}</span>
        <button type="button" onClick={clear}>
          {words.clear}
        </button>
        <button type="button" onClick={onStop}>
          {words.stop}
        </button>
      </div>
      {error && <Problem error={error} />}
      {frames.length === 0 && !error && <p className={css.quiet}>{words.nothingYet(collection)}</p>}
      {frames.length > 0 && <FrameTable label={words.heard} frames={frames} of={{ ref, collection }} />}
    </>
  );
}

interface Heard {
  readonly status: LiveStatus;
  readonly error?: Error;
}

interface Following {
  readonly ref: string;
  readonly collection: string;
  readonly filter: string;
  readonly setState: (heard: Heard) => void;
  readonly add: ReturnType<typeof useFrames>['add'];
}

function follow({ ref, collection, filter, setState, add }: Following): () => void {
  try {
    return projectClient(ref)
      .collection(collection)
      .where(filter)
      .follow(
        (change) => {
          if (change.event === 'missed') return add({ kind: change.event, body: words.missed });
          const { id, ...fields } = change.document;
          return add({
            kind: change.event,
            id,
            body: change.event === 'deleted' ? '' : JSON.stringify(fields),
          });
        },
        { onStatus: (status, error) => setState({ status, ...(error && { error }) }) },
      );
  } catch (error) {
    setState({ status: 'refused', error: asError(error) });
    return () => {};
  }
}
