import { useNavigate, useParams } from '@tanstack/react-router';
import { texts } from '../../texts.ts';
import type { Row } from './columns.ts';
import css from './document-grid.module.css';
import { fieldsOf } from './document-text.ts';
import { MenuItems } from './menu.tsx';
import { placeBelow, type Spot } from './place-below.ts';

const { data: words } = texts;

interface RowMenuProps {
  readonly row: Row;
  /** Where it is shown. */
  readonly spot: Spot;
  readonly onOpen: (id: string, isEdited: boolean) => void;
  readonly onCopy: (text: string) => void;
  readonly onRemove: (rows: readonly Row[]) => void;
  readonly onLeave: () => void;
}

/** What can be done with one document. */
export function RowMenu({ row, spot, onOpen, onCopy, onRemove, onLeave }: RowMenuProps) {
  const { ref, collection } = useParams({ from: '/signed-in/p/$ref/data/$collection' });
  const navigate = useNavigate();
  const ask = () =>
    void navigate({
      to: '/p/$ref/data/$collection/rules',
      params: { ref, collection },
      search: { as: 'nobody', action: 'read', doc: row.id },
    });
  const items = [
    { text: words.open, keys: 'Enter', act: () => onOpen(row.id, false) },
    { text: words.editAsJson, keys: 'e', act: () => onOpen(row.id, true) },
    { text: words.whoMaySee, act: ask },
    { text: words.copyId, act: () => onCopy(row.id) },
    { text: words.copyAsJson, act: () => onCopy(JSON.stringify(fieldsOf(row), null, 2)) },
    { text: words.remove, keys: 'Del', isDanger: true, act: () => onRemove([row]) },
  ];
  return (
    <div className={css.menu} role="presentation" ref={(element) => placeBelow(element, spot)}>
      <MenuItems label={words.rowActions} items={items} onLeave={onLeave} />
    </div>
  );
}
