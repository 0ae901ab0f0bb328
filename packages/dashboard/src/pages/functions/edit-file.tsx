import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type DeployedFiles, useDeployFile } from '../../api/deploy.ts';
import type { FunctionRecord } from '../../api/functions.ts';
import { codeTexts } from '../../code-texts.ts';
import { Confirm } from '../../kit/confirm.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { CodeFrame } from './code-frame.tsx';
import { DeployBar } from './deploy-bar.tsx';

const { functionCode: words } = codeTexts;

interface EditFileProps {
  readonly projectRef: string;
  readonly deployed: DeployedFiles;
  readonly one: FunctionRecord;
  /** Whether something stands in it that is not deployed. */
  readonly onWritten: (isWritten: boolean) => void;
}

/** A file that runs as it was written. */
export function EditFile({ projectRef, deployed, one, onWritten }: EditFileProps) {
  const first = deployed.files[one.file] ?? '';
  const [text, setText] = useState(first);
  const [isRemoving, setRemoving] = useState(false);
  const isWritten = text !== first;
  const write = (next: string) => {
    setText(next);
    onWritten(next !== first);
  };
  return (
    <>
      <p>{words.alone}</p>
      <CodeFrame label={one.file} text={first} onChange={write} />
      <DeployBar
        projectRef={projectRef}
        base={deployed}
        change={isWritten ? { file: one.file, text, note: words.changeNote(one.name) } : undefined}
        isWritten={isWritten}
        onDeployed={() => onWritten(false)}
      >
        <button type="button" data-kind="danger" onClick={() => setRemoving(true)}>
          {words.remove}
        </button>
      </DeployBar>
      {isRemoving && (
        <Remove projectRef={projectRef} deployed={deployed} one={one} onClose={() => setRemoving(false)} />
      )}
    </>
  );
}

type RemoveProps = Omit<EditFileProps, 'onWritten'> & { readonly onClose: () => void };

function Remove({ projectRef: ref, deployed, one, onClose }: RemoveProps) {
  const deploy = useDeployFile(ref, deployed);
  const say = useToast();
  const navigate = useNavigate();
  const done = () => {
    say({ text: words.removed(one.name) });
    void navigate({ to: '/p/$ref/functions', params: { ref }, ignoreBlocker: true });
  };
  return (
    <Confirm
      title={words.removeOne(one.name)}
      text={words.removeText}
      button={words.removeOne(one.name)}
      isPending={deploy.isPending}
      error={deploy.error}
      onSend={() =>
        deploy.mutate(
          { file: one.file, text: undefined, note: words.removeNote(one.name), isDryRun: false },
          { onSuccess: done },
        )
      }
      onClose={onClose}
    />
  );
}
