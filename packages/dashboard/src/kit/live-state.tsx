import css from './live-state.module.css';

const tones = {
  live: 'good',
  open: 'good',
  joined: 'good',
  away: 'warning',
  refused: 'bad',
  connecting: 'none',
  paused: 'none',
  idle: 'none',
} as const;

interface LiveStateProps {
  readonly state: keyof typeof tones;
  readonly text: string;
}

/** Whether what is shown follows what happens. Screen readers are told when that changes. */
export function LiveState({ state, text }: LiveStateProps) {
  return (
    <span className={css.live} data-tone={tones[state]} role="status">
      {text}
    </span>
  );
}
