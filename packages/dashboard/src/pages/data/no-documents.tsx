import { Empty } from '../../kit/empty.tsx';
import { texts } from '../../texts.ts';
import css from './data-page.module.css';

const { data: words } = texts;

interface NoDocumentsProps {
  readonly isFiltered: boolean;
  readonly onClear: () => void;
  readonly onImport: () => void;
}

/** Where there are none, or none that pass the filter. */
export function NoDocuments({ isFiltered, onClear, onImport }: NoDocumentsProps) {
  return (
    <div className={css.empty}>
      <Empty
        title={isFiltered ? words.noneFits : words.empty}
        text={isFiltered ? words.noneFitsText : words.emptyText}
      >
        <button type="button" onClick={isFiltered ? onClear : onImport}>
          {isFiltered ? words.clearFilter : words.importFile}
        </button>
      </Empty>
    </div>
  );
}
