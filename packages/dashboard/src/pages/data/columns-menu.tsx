import { useQuery } from '@tanstack/react-query';
import { projectClient } from '../../api/project-client.ts';
import { useAhead } from '../../kit/use-ahead.ts';
import { texts } from '../../texts.ts';
import { usualFields } from './columns.ts';
import { Popover } from './menu.tsx';
import { printFields, readFields } from './remembered.ts';
import type { Columns } from './use-columns.ts';
import css from './view-bar.module.css';

const { data: words } = texts;

interface ColumnsMenuProps {
  readonly projectRef: string;
  readonly collection: string;
  readonly columns: Columns;
  /** Undefined: the usual ones again. */
  readonly onFields: (fields: readonly string[] | undefined) => void;
}

/** Which fields are columns, and in which order. */
export function ColumnsMenu(props: ColumnsMenuProps) {
  return <Popover button={words.columns}>{() => <Chooser {...props} />}</Popover>;
}

function Chooser({ projectRef, collection, columns, onFields }: ColumnsMenuProps) {
  const { known } = columns;
  const { now, tell } = useAhead(printFields(columns.fields));
  const fields = readFields(now);
  const choose = (next: readonly string[] | undefined) => {
    tell(printFields(next ?? usualFields(known)));
    onFields(next);
  };
  // Fields that only few documents have are told of by the service.
  const { data: shape } = useQuery({
    queryKey: ['projects', projectRef, 'shape', collection],
    queryFn: ({ signal }) => projectClient(projectRef).collections.shape(collection, { signal }),
    staleTime: 60_000,
  });
  const told = shape?.fields.flatMap(({ path }) => (path.includes('[]') ? [] : [path])) ?? [];
  const all = new Set(['id', ...known.map(({ field }) => field), ...told, 'createdAt', 'updatedAt']);
  const others = [...all].filter((field) => !fields.includes(field));
  const move = (field: string, step: number) => {
    const at = fields.indexOf(field);
    const rest = fields.filter((one) => one !== field);
    choose(rest.toSpliced(Math.max(0, at + step), 0, field));
  };
  return (
    <div className={css.chooser} role="dialog" aria-label={words.columns}>
      <ul>
        {fields.map((field, n) => (
          <li key={field}>
            <label>
              <input
                type="checkbox"
                checked
                disabled={fields.length === 1}
                onChange={() => choose(fields.filter((one) => one !== field))}
              />
              {field}
            </label>
            <button
              type="button"
              data-kind="bare"
              disabled={n === 0}
              aria-label={words.moveLeft(field)}
              onClick={() => move(field, -1)}
            >
              ↑
            </button>
            <button
              type="button"
              data-kind="bare"
              disabled={n === fields.length - 1}
              aria-label={words.moveRight(field)}
              onClick={() => move(field, 1)}
            >
              ↓
            </button>
          </li>
        ))}
        {others.map((field) => (
          <li key={field}>
            <label>
              <input type="checkbox" checked={false} onChange={() => choose([...fields, field])} />
              {field}
            </label>
          </li>
        ))}
      </ul>
      <footer>
        <span>{words.columnsHint}</span>
        <button type="button" onClick={() => choose(undefined)}>
          {words.usualColumns}
        </button>
      </footer>
    </div>
  );
}
