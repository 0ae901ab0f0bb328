import { useMutation, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { collectionsQuery } from '../../api/collections.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { Form } from '../../kit/form.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Table } from '../../kit/table.tsx';
import { Wait } from '../../kit/wait.tsx';
import { texts } from '../../texts.ts';
import { carryOut } from './carry-out.ts';
import type { Row } from './columns.ts';
import css from './import-dialog.module.css';
import { parseImport } from './parse-import.ts';
import { isCells, type Pasted } from './pasted.ts';
import { type FieldPreview, type Plan, planFor, planForCells, previewOf } from './plan-import.ts';
import type { Writes } from './use-writes.ts';

const { data: words } = texts;

interface ImportDialogProps {
  readonly projectRef: string;
  readonly pasted: Pasted;
  readonly writes: Writes;
  readonly onClose: () => void;
}

/** What was pasted or dropped, before it becomes documents. */
export function ImportDialog(props: ImportDialogProps) {
  const { pasted, writes, onClose } = props;
  const parsed = useMemo(
    () => (isCells(pasted) ? { form: 'TSV' as const, documents: [] } : parseImport(pasted.text)),
    [pasted],
  );
  const ids =
    'documents' in parsed ? parsed.documents.flatMap(({ id }) => (typeof id === 'string' ? [id] : [])) : [];
  const known = useQuery({
    queryKey: ['import', pasted.text.length, ids.length, ids[0]],
    queryFn: async ({ signal }) => {
      const there = (await writes.documents.getMany(ids, { signal })) as Row[];
      return new Map(there.map((row) => [row.id, row]));
    },
    gcTime: 0,
  });
  if ('problem' in parsed)
    return (
      <Dialog title={words.importTitle} onClose={onClose}>
        <Problem error={new Error(parsed.problem)} />
        <p>{words.importForms}</p>
      </Dialog>
    );
  if (known.error || !known.data)
    return (
      <Dialog title={words.importTitle} onClose={onClose}>
        {known.error ? <Problem error={known.error} /> : <Wait />}
      </Dialog>
    );
  const plan = isCells(pasted)
    ? planForCells(pasted.text, pasted.onto)
    : planFor(parsed.documents, known.data);
  return <Preview {...props} plan={plan} form={parsed.form} />;
}

interface PreviewProps extends ImportDialogProps {
  readonly plan: Plan;
  readonly form: string;
}

function Preview({ projectRef, writes, plan, form, onClose }: PreviewProps) {
  const { data: collections } = useQuery(collectionsQuery(projectRef));
  const [done, setDone] = useState(0);
  const { adds, updates } = plan;
  const fields = useMemo(() => {
    const names = new Map(collections?.map(({ number, name }) => [number, name]));
    const changes = updates.map(({ changes: { $set, $unset: _gone, ...plain } }) => ({
      ...plain,
      ...($set as object),
    }));
    return previewOf([...adds, ...changes], names);
  }, [adds, updates, collections]);
  const send = useMutation({
    mutationFn: () => carryOut(writes.documents, plan, setDone),
    onSettled: () => writes.look(),
    onSuccess: (carriedOut) => {
      onClose();
      writes.did({ text: words.imported(adds.length, updates.length), ...carriedOut });
    },
  });
  const count = adds.length + updates.length;
  return (
    <Dialog title={words.importTitle} onClose={onClose}>
      <Form
        button={words.importButton(adds.length, updates.length)}
        isPending={send.isPending}
        isDisabled={count === 0}
        error={send.error}
        onSend={() => send.mutate()}
      >
        <p>{words.importSummary(form, adds.length, updates.length)}</p>
        <Fields fields={fields} />
        {send.isPending && (
          <progress className={css.progress} max={count} value={done} aria-label={words.importing} />
        )}
      </Form>
    </Dialog>
  );
}

function Fields({ fields }: { readonly fields: readonly FieldPreview[] }) {
  return (
    <div className={css.fields}>
      <Table label={words.fields} heads={[words.field, words.type, words.inDocuments, words.example]}>
        {fields.map(({ field, types, count, example, links }) => (
          <tr key={field}>
            <td>{field}</td>
            <td>{links.length > 0 ? words.linkTo(links.join(', ')) : types.join(', ')}</td>
            <td>{count.toLocaleString('en')}</td>
            <td>
              <code>{example}</code>
            </td>
          </tr>
        ))}
      </Table>
    </div>
  );
}
