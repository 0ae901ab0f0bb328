import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Choice } from '../../kit/choice.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { Form } from '../../kit/form.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { texts } from '../../texts.ts';
import type { Column, Row } from './columns.ts';
import {
  type ExportForm,
  headOf,
  largestInMemory,
  lineOf,
  openTarget,
  type Target,
  TooLarge,
} from './export.ts';
import type { RowQuery } from './row-query.ts';

const { data: words } = texts;
const linesAtOnce = 500;

interface ExportDialogProps {
  readonly collection: string;
  readonly columns: readonly Column[];
  /** All that pass the filter, or those that were selected. */
  readonly from: RowQuery | readonly Row[];
  readonly onClose: () => void;
}

/** Writes documents to a file, page by page. */
export function ExportDialog({ collection, columns, from, onClose }: ExportDialogProps) {
  const [form, setForm] = useState<ExportForm>('ndjson');
  const [count, setCount] = useState(0);
  const say = useToast();
  const stop = useRef(new AbortController());
  useEffect(() => {
    const controller = new AbortController();
    stop.current = controller;
    return () => controller.abort();
  }, []);
  const run = useMutation({
    mutationFn: async () => {
      const target = await openTarget(`${collection}.${form}`);
      if (!target) return undefined;
      const { signal } = stop.current;
      const source = 'each' in from ? from.each({ signal }) : from;
      return write(target, source, { form, columns, onCount: setCount });
    },
    onSuccess: (written) => {
      if (written === undefined) return;
      say({ text: words.exported(written) });
      onClose();
    },
  });
  return (
    <Dialog title={words.exportTitle} onClose={onClose}>
      <Form button={words.export} isPending={run.isPending} error={run.error} onSend={() => run.mutate()}>
        <p>{'each' in from ? words.exportAll : words.exportSelected(from.length)}</p>
        <Choice label={words.exportForm} words={words.exportForms} value={form} onChange={setForm} />
        <p>{form === 'csv' ? words.exportCsv : words.exportNdjson}</p>
        {run.isPending && <p role="status">{words.exportedSoFar(count)}</p>}
      </Form>
    </Dialog>
  );
}

interface Writing {
  readonly form: ExportForm;
  readonly columns: readonly Column[];
  readonly onCount: (count: number) => void;
}

async function write(
  target: Target,
  source: AsyncIterable<Row> | Iterable<Row>,
  { form, columns, onCount }: Writing,
): Promise<number> {
  let count = 0;
  let text = headOf(form, columns);
  try {
    for await (const row of source) {
      text += lineOf(form, row, columns);
      count++;
      if (count % linesAtOnce !== 0) continue;
      await target.write(text);
      text = '';
      onCount(count);
    }
    await target.write(text);
    await target.end();
  } catch (error) {
    await target.drop();
    throw error instanceof TooLarge ? new Error(words.exportTooLarge(largestInMemory / 1_000_000)) : error;
  }
  return count;
}
