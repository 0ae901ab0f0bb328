import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useDeleteVariable, useSetVariable, variablesQuery } from '../../api/variables.ts';
import { Page } from '../../frame/page.tsx';
import { useProject } from '../../frame/use-project.ts';
import { Confirm } from '../../kit/confirm.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { Empty } from '../../kit/empty.tsx';
import { Field } from '../../kit/field.tsx';
import { Form } from '../../kit/form.tsx';
import { Head } from '../../kit/head.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Row, Rows } from '../../kit/rows.tsx';
import { Switch } from '../../kit/switch.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { Wait } from '../../kit/wait.tsx';
import { texts } from '../../texts.ts';
import css from './variables.module.css';

const { variables: words } = texts;

/** What is asked: a new variable, or another value of one. */
type Asked = { readonly set: string | undefined } | { readonly remove: string };

export function VariablesPage() {
  const { ref } = useProject();
  const { data: keys, error, refetch } = useQuery(variablesQuery(ref));
  const [asked, setAsked] = useState<Asked>();
  const add = (
    <button type="button" data-kind="main" onClick={() => setAsked({ set: undefined })}>
      {words.add}
    </button>
  );
  const close = () => setAsked(undefined);
  return (
    <Page>
      <Head title={words.title} lead={words.lead}>
        {keys && keys.length > 0 && add}
      </Head>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!keys && !error && <Wait />}
      {keys?.length === 0 && (
        <Empty title={words.empty} text={words.emptyText}>
          {add}
        </Empty>
      )}
      {keys && keys.length > 0 && <VariableList keys={keys} onAsk={setAsked} />}
      {asked && 'set' in asked && <SetDialog projectRef={ref} known={asked.set} onClose={close} />}
      {asked && 'remove' in asked && <DeleteDialog projectRef={ref} name={asked.remove} onClose={close} />}
    </Page>
  );
}

interface VariableListProps {
  readonly keys: readonly string[];
  readonly onAsk: (asked: Asked) => void;
}

function VariableList({ keys, onAsk }: VariableListProps) {
  return (
    <Rows>
      {keys.map((key) => (
        <Row key={key} title={<code>{key}</code>} facts={words.isSet}>
          <div className={css.buttons}>
            <button type="button" aria-label={words.replaceOne(key)} onClick={() => onAsk({ set: key })}>
              {words.replace}
            </button>
            <button
              type="button"
              data-kind="danger"
              aria-label={words.deleteOne(key)}
              onClick={() => onAsk({ remove: key })}
            >
              {words.delete}
            </button>
          </div>
        </Row>
      ))}
    </Rows>
  );
}

interface SetDialogProps {
  readonly projectRef: string;
  /** The variable that gets another value; without one, it is new. */
  readonly known: string | undefined;
  readonly onClose: () => void;
}

function SetDialog({ projectRef, known, onClose }: SetDialogProps) {
  const set = useSetVariable(projectRef);
  const say = useToast();
  const [key, setKey] = useState(known ?? '');
  const [value, setValue] = useState('');
  const [isShown, setShown] = useState(false);
  return (
    <Dialog title={known === undefined ? words.add : words.replaceOne(known)} onClose={onClose}>
      <Form
        button={words.set}
        isPending={set.isPending}
        error={set.error}
        onSend={() =>
          set.mutate(
            { key, value },
            {
              onSuccess: (made) => {
                say({ text: words.wasSet(made.key) });
                onClose();
              },
            },
          )
        }
      >
        {known === undefined && (
          <Field
            label={words.key}
            hint={words.keyHint}
            required
            maxLength={64}
            autoComplete="off"
            autoFocus
            spellCheck={false}
            value={key}
            onChange={(event) => setKey(event.target.value)}
          />
        )}
        <Field
          label={words.value}
          hint={words.valueHint}
          type={isShown ? 'text' : 'password'}
          required
          maxLength={10_000}
          // Not a password of this site: nothing is to be offered or kept.
          autoComplete="off"
          autoFocus={known !== undefined}
          spellCheck={false}
          value={value}
          onChange={(event) => setValue(event.target.value)}
        />
        <Switch label={words.show} isOn={isShown} onChange={setShown} />
      </Form>
    </Dialog>
  );
}

interface DeleteDialogProps {
  readonly projectRef: string;
  readonly name: string;
  readonly onClose: () => void;
}

function DeleteDialog({ projectRef, name, onClose }: DeleteDialogProps) {
  const remove = useDeleteVariable(projectRef);
  const say = useToast();
  return (
    <Confirm
      title={words.deleteOne(name)}
      text={words.deleteText}
      button={words.delete}
      isPending={remove.isPending}
      error={remove.error}
      onSend={() =>
        remove.mutate(name, {
          onSuccess: () => {
            say({ text: words.deleted(name) });
            onClose();
          },
        })
      }
      onClose={onClose}
    />
  );
}
