import { useState } from 'react';
import { type Deployment, useActivate } from '../../api/functions.ts';
import { codeTexts } from '../../code-texts.ts';
import { Confirm } from '../../kit/confirm.tsx';
import { Empty } from '../../kit/empty.tsx';
import { bytes } from '../../kit/figures.ts';
import { Row, Rows } from '../../kit/rows.tsx';
import { Tag } from '../../kit/tag.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { when } from '../../kit/when.ts';
import css from './functions.module.css';

const { functionVersions: words, functions: functionWords } = codeTexts;

interface VersionsProps {
  readonly projectRef: string;
  readonly deployments: readonly Deployment[];
}

/** What was deployed, and going back to it. */
export function Versions({ projectRef: ref, deployments }: VersionsProps) {
  const [asked, setAsked] = useState<Deployment>();
  const active = deployments.find(({ isActive }) => isActive);
  if (deployments.length === 0) return <Empty title={words.empty} text={words.emptyText} />;
  return (
    <>
      <p className={css.note}>{words.lead}</p>
      <Rows>
        {deployments.map((one) => (
          <Row key={one.version} title={<Title deployment={one} />} facts={factsOf(one)}>
            {!one.isActive && (
              <button type="button" aria-label={nameOf(one, active)} onClick={() => setAsked(one)}>
                {isNewer(one, active) ? words.goOn : words.goBack}
              </button>
            )}
          </Row>
        ))}
      </Rows>
      {asked && (
        <Activate projectRef={ref} wanted={asked} active={active} onClose={() => setAsked(undefined)} />
      )}
    </>
  );
}

const isNewer = (one: Deployment, active: Deployment | undefined): boolean =>
  one.version > (active?.version ?? 0);

const nameOf = (one: Deployment, active: Deployment | undefined): string =>
  isNewer(one, active) ? words.goOnTo(one.version) : words.goBackTo(one.version);

function Title({ deployment: { version, note, isActive } }: { readonly deployment: Deployment }) {
  return (
    <>
      {functionWords.version(version)} {isActive && <Tag tone="good">{words.runs}</Tag>}{' '}
      {note !== null && <span className={css.said}>{note}</span>}
    </>
  );
}

const factsOf = ({ functions, bytes: size, madeBy, madeAt }: Deployment): string =>
  [
    words.functions(functions.length),
    bytes(size),
    words.madeBy(madeBy === 'server' ? words.apiKey : madeBy, when(madeAt)),
  ].join(', ');

interface ActivateProps {
  readonly projectRef: string;
  readonly wanted: Deployment;
  readonly active: Deployment | undefined;
  readonly onClose: () => void;
}

function Activate({ projectRef, wanted, active, onClose }: ActivateProps) {
  const activate = useActivate(projectRef);
  const say = useToast();
  const undo = active && { undo: () => activate.mutate(active.version) };
  return (
    <Confirm
      title={nameOf(wanted, active)}
      text={changeWords(wanted, active)}
      button={nameOf(wanted, active)}
      isPending={activate.isPending}
      error={activate.error}
      onSend={() =>
        activate.mutate(wanted.version, {
          onSuccess: () => {
            say({ text: words.isActive(wanted.version), ...undo });
            onClose();
          },
        })
      }
      onClose={onClose}
    />
  );
}

/** Which functions come and go with another version. */
function changeWords(wanted: Deployment, active: Deployment | undefined): string {
  const names = (one: Deployment | undefined) => one?.functions.map(({ name }) => name) ?? [];
  const [now, then] = [names(active), names(wanted)];
  const added = then.filter((name) => !now.includes(name));
  const removed = now.filter((name) => !then.includes(name));
  return [
    words.changes(active?.version, wanted.version),
    ...(added.length > 0 ? [words.added(added.join(', '))] : []),
    ...(removed.length > 0 ? [words.removed(removed.join(', '))] : []),
    ...(added.length + removed.length === 0 ? [words.same] : []),
  ].join(' ');
}
