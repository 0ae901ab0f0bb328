import css from './live-state.module.css';

interface LiveStateProps {
  /** It follows what happens, it cannot now, or it does not. */
  readonly tone: 'good' | 'warning' | 'none';
  readonly text: string;
}

/** Whether what is shown follows what happens. Screen readers are told when that changes. */
export function LiveState({ tone, text }: LiveStateProps) {
  return (
    <span className={css.live} data-tone={tone} role="status">
      {text}
    </span>
  );
}
