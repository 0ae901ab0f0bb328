import { Table } from '../../kit/table.tsx';
import { texts } from '../../texts.ts';
import css from './conflict.module.css';

const { data: words } = texts;

interface ConflictProps {
  readonly theirs: Readonly<Record<string, unknown>>;
  readonly yours: Readonly<Record<string, unknown>>;
  readonly onTheirs: () => void;
  readonly onYours: () => void;
}

const longest = 300;
const shown = (value: unknown): string =>
  value === undefined ? words.notThere : JSON.stringify(value).slice(0, longest);

/** Somebody else was faster: both versions, field by field where they differ. */
export function Conflict({ theirs, yours, onTheirs, onYours }: ConflictProps) {
  const fields = [...new Set([...Object.keys(theirs), ...Object.keys(yours)])].filter(
    (field) => JSON.stringify(theirs[field]) !== JSON.stringify(yours[field]),
  );
  return (
    <div className={css.conflict} role="alert">
      <p>{words.conflict}</p>
      <Table label={words.conflictFields} heads={[words.field, words.theirs, words.yours]}>
        {fields.map((field) => (
          <tr key={field}>
            <td>{field}</td>
            <td>
              <code>{shown(theirs[field])}</code>
            </td>
            <td>
              <code>{shown(yours[field])}</code>
            </td>
          </tr>
        ))}
      </Table>
      <div className={css.choices}>
        <button type="button" onClick={onTheirs}>
          {words.takeTheirs}
        </button>
        <button type="button" data-kind="danger" onClick={onYours}>
          {words.saveMine}
        </button>
      </div>
    </div>
  );
}
