import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { filesKey } from '../../api/files.ts';
import { projectClient } from '../../api/project-client.ts';
import { asError } from '../../as-error.ts';

/** A file on its way, or one that did not get there. */
export interface Sending {
  readonly key: number;
  readonly name: string;
  readonly sent: number;
  readonly total: number;
  readonly error?: Error;
  readonly stop: () => void;
}

interface Wish {
  readonly path: string;
  readonly isPrivate: boolean;
}

/** Uploads files one after the other. Those that have arrived are in the list of files, and in this one no more. */
export function useUploads(ref: string) {
  const queries = useQueryClient();
  const [sendings, setSendings] = useState<readonly Sending[]>([]);
  const count = useRef(0);
  const change = useCallback(
    (key: number, part: Partial<Sending>) =>
      setSendings((all) => all.map((one) => (one.key === key ? { ...one, ...part } : one))),
    [],
  );
  const forget = useCallback((key: number) => setSendings((all) => all.filter((one) => one.key !== key)), []);
  const upload = async (files: readonly File[], { path, isPrivate }: Wish) => {
    const batch = files.map((file) => {
      const stopper = new AbortController();
      count.current += 1;
      const sending = { key: count.current, name: file.name, sent: 0, total: file.size };
      return { file, signal: stopper.signal, sending: { ...sending, stop: () => stopper.abort() } };
    });
    setSendings((all) => [...all, ...batch.map(({ sending }) => sending)]);
    for (const { file, signal, sending } of batch) {
      try {
        await projectClient(ref).files.upload(file, {
          isPrivate,
          signal,
          ...(path && { path }),
          onProgress: ({ sent }) => change(sending.key, { sent }),
        });
        forget(sending.key);
        await queries.invalidateQueries({ queryKey: filesKey(ref) });
      } catch (error) {
        if (signal.aborted) forget(sending.key);
        else change(sending.key, { error: asError(error) });
      }
    }
  };
  return { sendings, upload, forget };
}
