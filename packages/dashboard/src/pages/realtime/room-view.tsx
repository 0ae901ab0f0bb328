import { type FormEvent, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { projectClient } from '../../api/project-client.ts';
import { Field } from '../../kit/field.tsx';
import { LiveState } from '../../kit/live-state.tsx';
import { Problem } from '../../kit/problem.tsx';
import { texts } from '../../texts.ts';
import { FrameTable } from './frame-table.tsx';
import css from './realtime-page.module.css';
import { useFrames } from './use-frames.ts';

const { realtime: words } = texts;

interface RoomViewProps {
  readonly projectRef: string;
  readonly name: string;
  readonly onLeave: () => void;
}

/** Who is in a room and what is said there. Whoever looks is in it too. */
export function RoomView({ projectRef: ref, name, onLeave }: RoomViewProps) {
  const room = useMemo(() => projectClient(ref).room(name), [ref, name]);
  const { status, members, error } = useSyncExternalStore(room.subscribe, room.get);
  const { frames, add, clear } = useFrames();
  const [text, setText] = useState('');
  useEffect(
    () =>
      room.onMessage((message, from) =>
        add({ kind: from.user ?? words.server, body: JSON.stringify(message) }),
      ),
    [room, add],
  );
  const say = (event: FormEvent) => {
    event.preventDefault();
    if (room.say(jsonOf(text))) setText('');
  };
  return (
    <>
      <div className={css.bar}>
        <LiveState state={status} text={words.roomStates[status]} />
        <span className={css.count}>{words.members(members.length)}</span>
        <button type="button" onClick={clear}>
          {words.clear}
        </button>
        <button type="button" onClick={onLeave}>
          {words.leave}
        </button>
      </div>
      {error && <Problem error={error} />}
      <form className={css.form} onSubmit={say}>
        <Field
          label={words.message}
          required
          autoComplete="off"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <button disabled={status !== 'joined'}>{words.say}</button>
      </form>
      {frames.length === 0 && <p className={css.quiet}>{words.nothingSaid}</p>}
      {frames.length > 0 && <FrameTable label={words.messages} frames={frames} />}
    </>
  );
}

/** JSON if it is some, else the text as it is. */
function jsonOf(text: string): never {
  try {
    return JSON.parse(text) as never;
  } catch {
    return text as never;
  }
}
