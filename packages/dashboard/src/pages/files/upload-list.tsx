import { bytes } from '../../kit/figures.ts';
import { texts } from '../../texts.ts';
import css from './files-page.module.css';
import type { Sending } from './use-uploads.ts';

const { files: words } = texts;

interface UploadListProps {
  readonly sendings: readonly Sending[];
  readonly onForget: (key: number) => void;
}

/** What is on its way, and what was refused and why. */
export function UploadList({ sendings, onForget }: UploadListProps) {
  if (sendings.length === 0) return null;
  return (
    <ul className={css.sendings} aria-label={words.uploads}>
      {sendings.map(({ key, name, sent, total, error, stop }) => (
        <li key={key} className={css.sending}>
          <span className={css.sendingName}>{name}</span>
          {error ? (
            <span className={css.refused} role="alert">
              {error.message}
            </span>
          ) : (
            <>
              <progress aria-label={name} value={sent} max={Math.max(1, total)} />
              <span className={css.quiet}>{words.progress(bytes(sent), bytes(total))}</span>
            </>
          )}
          <button type="button" data-kind="bare" onClick={error ? () => onForget(key) : stop}>
            {error ? texts.dismiss : texts.cancel}
          </button>
        </li>
      ))}
    </ul>
  );
}
