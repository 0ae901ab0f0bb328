import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Place, useChangeSettings } from '../../api/collection.ts';
import { type Index, indexesQuery, useDropIndex } from '../../api/indexes.ts';
import { Confirm } from '../../kit/confirm.tsx';
import { Empty } from '../../kit/empty.tsx';
import { bytes as size } from '../../kit/figures.ts';
import { Problem } from '../../kit/problem.tsx';
import { Section } from '../../kit/section.tsx';
import { Switch } from '../../kit/switch.tsx';
import { Table } from '../../kit/table.tsx';
import { Tag } from '../../kit/tag.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { Wait } from '../../kit/wait.tsx';
import { when } from '../../kit/when.ts';
import { texts } from '../../texts.ts';
import { CollectionPage } from './collection-page.tsx';
import css from './indexes-page.module.css';
import { NewIndexSection } from './new-index.tsx';
import { SeenLists } from './seen-lists.tsx';
import { usePlace } from './use-place.ts';

const { indexes: words } = texts;

/** What keeps the lists of a collection quick, and what would. */
export function IndexesPage() {
  const place = usePlace('indexes');
  return (
    <CollectionPage place={place}>
      {({ settings }) => (
        <>
          <Section title={words.title} lead={words.lead}>
            <IndexTable place={place} />
            <AutoIndex place={place} isOn={settings.autoIndex !== false} />
          </Section>
          <SeenLists place={place} />
          <NewIndexSection place={place} />
        </>
      )}
    </CollectionPage>
  );
}

function AutoIndex({ place, isOn }: { readonly place: Place; readonly isOn: boolean }) {
  const change = useChangeSettings(place);
  const say = useToast();
  const set = (next: boolean) =>
    change.mutate(
      { autoIndex: next },
      { onSuccess: () => say({ text: next ? words.autoOn : words.autoOff }) },
    );
  return (
    <>
      <Switch
        label={words.auto}
        hint={words.autoHint}
        isOn={isOn}
        isDisabled={change.isPending}
        onChange={set}
      />
      {change.error && <Problem error={change.error} />}
    </>
  );
}

function IndexTable({ place }: { readonly place: Place }) {
  const { data: indexes, error } = useQuery(indexesQuery(place));
  const drop = useDropIndex(place);
  const say = useToast();
  const [dropping, setDropping] = useState<Index>();
  if (error) return <Problem error={error} />;
  if (!indexes) return <Wait />;
  if (indexes.length === 0) return <Empty title={words.none} text={words.noneText} />;
  const send = (id: string) =>
    drop.mutate(id, {
      onSuccess: () => {
        setDropping(undefined);
        say({ text: words.dropped });
      },
    });
  return (
    <>
      <Table stacks label={words.all} heads={words.heads}>
        {indexes.map((index) => (
          <IndexRow key={index.id} index={index} onDrop={() => setDropping(index)} />
        ))}
      </Table>
      {dropping && (
        <Confirm
          title={words.dropOne(dropping.fields.join(', '))}
          text={words.dropText}
          button={words.drop}
          isPending={drop.isPending}
          error={drop.error}
          onSend={() => send(dropping.id)}
          onClose={() => setDropping(undefined)}
        />
      )}
    </>
  );
}

/** A list that is rare may still need it: after so long, somebody should look. */
const unusedAfterMs = 7 * 24 * 3_600_000;

/** How large it is, and whether queries use it. */
function Use({ index: { bytes, scans, usedAt, readyAt, automatic } }: { readonly index: Index }) {
  if (bytes === null || scans === null) return <span className={css.note}>{words.notCounted}</span>;
  const isOld = isLongReady(readyAt);
  return (
    <>
      {size(bytes)}
      {scans === 0 ? (
        <>
          {' '}
          <Tag tone={isOld ? 'warning' : 'plain'}>{words.neverUsed}</Tag>
          <p className={css.note}>{adviceOn(isOld, automatic)}</p>
        </>
      ) : (
        <p className={css.note}>
          {words.used(scans)}
          {usedAt !== null && `, ${words.last(when(usedAt))}`}
        </p>
      )}
    </>
  );
}

const isLongReady = (readyAt: string | null): boolean =>
  readyAt !== null && Date.now() - Date.parse(readyAt) > unusedAfterMs;

function adviceOn(isOld: boolean, automatic: boolean): string {
  if (!isOld) return words.neverUsedYet;
  return automatic ? words.goesByItself : words.dropUnused;
}

const tones = { building: 'warning', ready: 'good', failed: 'bad' } as const;

function IndexRow({ index, onDrop }: { readonly index: Index; readonly onDrop: () => void }) {
  const { fields, kind, state, progress, failure, note, automatic, reason } = index;
  const name = fields.join(', ');
  return (
    <tr>
      <td>
        <code>{name}</code>
      </td>
      <td>{words.allKinds[kind]}</td>
      <td className={css.state}>
        <Tag tone={tones[state]}>{words.states[state]}</Tag>
        {progress && (
          <>
            <progress
              aria-label={words.progress(progress.done, progress.total)}
              value={progress.done}
              max={progress.total}
            />
            <span>{words.progress(progress.done, progress.total)}</span>
          </>
        )}
        {(failure ?? note) && <p className={css.note}>{failure ?? note}</p>}
      </td>
      <td>
        <Use index={index} />
      </td>
      <td>
        {automatic ? words.automatic : words.asked}
        {reason && <p className={css.note}>{reason}</p>}
      </td>
      <td>
        <button type="button" data-kind="danger" aria-label={words.dropOne(name)} onClick={onDrop}>
          {words.drop}
        </button>
      </td>
    </tr>
  );
}
