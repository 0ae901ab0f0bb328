import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Dialog } from '../../kit/dialog.tsx';
import { Field } from '../../kit/field.tsx';
import { Form } from '../../kit/form.tsx';
import { texts } from '../../texts.ts';
import { batchesOf } from './batches.ts';
import { changeOf } from './change-of.ts';
import { type Column, isSystem, pathOf, type Row, valueAt } from './columns.ts';
import { writtenOf } from './steps.ts';
import { typedValue } from './typed-value.ts';
import type { Writes } from './use-writes.ts';

const { data: words } = texts;

interface ChangeFieldProps {
  readonly rows: readonly Row[];
  readonly columns: readonly Column[];
  readonly writes: Writes;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Sets one field of many documents. */
export function ChangeField({ rows, columns, writes, onDone, onClose }: ChangeFieldProps) {
  const [field, setField] = useState('');
  const [text, setText] = useState('');
  const path = pathOf(field);
  const change = useMutation({
    mutationFn: async () => {
      const changes = rows.map(({ id }) => ({ id, ...changeOf(path, typedValue(text)) }));
      const changed: Row[] = [];
      for (const batch of batchesOf(changes))
        changed.push(...((await writes.documents.updateMany(batch)) as Row[]));
      return writtenOf(rows, changed, (row) => changeOf(path, valueAt(row, path)));
    },
    onSuccess: (written) => {
      onDone();
      onClose();
      writes.did({ text: words.changedSome(rows.length), written });
      void writes.look();
    },
  });
  const isNone = path.length === 0 || isSystem(field);
  return (
    <Dialog title={words.changeTitle(rows.length)} onClose={onClose}>
      <Form
        button={words.change}
        isPending={change.isPending}
        isDisabled={isNone}
        error={change.error}
        onSend={() => change.mutate()}
      >
        <Field
          label={words.field}
          hint={words.fieldHint}
          list="fields-to-change"
          autoFocus
          autoComplete="off"
          value={field}
          onChange={(event) => setField(event.target.value)}
        />
        <datalist id="fields-to-change">
          {columns.flatMap(({ field: name }) => (isSystem(name) ? [] : [<option key={name}>{name}</option>]))}
        </datalist>
        <Field
          label={words.value}
          hint={words.valueHint}
          autoComplete="off"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </Form>
    </Dialog>
  );
}
