import { Choice } from '../../kit/choice.tsx';
import { Problem } from '../../kit/problem.tsx';
import { texts } from '../../texts.ts';
import { MailFrame } from './mail-frame.tsx';
import css from './messages.module.css';

const { messages: words } = texts;

export type PreviewForm = keyof typeof words.forms;

interface PreviewProps {
  readonly rendered: { readonly subject: string; readonly html: string; readonly text: string } | undefined;
  readonly error: Error | null;
  readonly form: PreviewForm;
  /** Undefined: there is but one. */
  readonly onForm: ((form: PreviewForm) => void) | undefined;
}

/** How it arrives, with made-up values; while something is wrong with the text, as it was before. */
export function Preview({ rendered, error, form, onForm }: PreviewProps) {
  return (
    <section className={css.preview} aria-label={words.preview}>
      {onForm && <Choice label={words.previewAs} words={words.forms} value={form} onChange={onForm} />}
      {error && <Problem error={error} />}
      {rendered && (
        <div className={css.mail} data-form={form}>
          {rendered.subject !== '' && <p className={css.subject}>{rendered.subject}</p>}
          {form === 'text' ? (
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- whoever has no mouse scrolls it with the arrows
            <pre className={css.text} tabIndex={0}>
              {rendered.text}
            </pre>
          ) : (
            <MailFrame html={rendered.html} />
          )}
        </div>
      )}
    </section>
  );
}
