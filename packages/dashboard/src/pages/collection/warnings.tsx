import { Tag } from '../../kit/tag.tsx';
import { texts } from '../../texts.ts';
import css from './rules-page.module.css';

interface WarningsProps {
  readonly title?: string;
  readonly warnings: readonly string[];
}

/** What can be saved and may still not be meant. */
export function Warnings({ title, warnings }: WarningsProps) {
  if (warnings.length === 0) return null;
  return (
    <div className={css.warnings} role="status">
      {title !== undefined && <p className={css.warningsTitle}>{title}</p>}
      {warnings.map((warning) => (
        <p key={warning}>
          <Tag tone="warning">{texts.rules.warning}</Tag> {warning}
        </p>
      ))}
    </div>
  );
}
