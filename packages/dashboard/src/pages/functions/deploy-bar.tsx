import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type Deployed, type DeployedFiles, type FileChange, useDeployFile } from '../../api/deploy.ts';
import { codeTexts } from '../../code-texts.ts';
import { Confirm } from '../../kit/confirm.tsx';
import { Problem } from '../../kit/problem.tsx';
import { useToast } from '../../kit/toasts.tsx';
import css from './code-part.module.css';

const { functionCode: words } = codeTexts;

interface DeployBarProps {
  readonly projectRef: string;
  readonly base: DeployedFiles | undefined;
  /** What is to be deployed; nothing while there is nothing new, or something is missing. */
  readonly change: Omit<FileChange, 'isDryRun'> | undefined;
  /** Whether something was written that would be lost. */
  readonly isWritten: boolean;
  readonly onDeployed: () => void;
  readonly children?: ReactNode;
}

/** Checks a change in the sandbox, or deploys it. Says what is wrong with it, or what it changes. */
export function DeployBar({ projectRef, base, change, isWritten, onDeployed, children }: DeployBarProps) {
  const deploy = useDeployFile(projectRef, base);
  const say = useToast();
  const send = (isDryRun: boolean) => {
    if (!change) return;
    deploy.mutate(
      { ...change, isDryRun },
      {
        onSuccess: ({ version }) => {
          if (version === null) return;
          say({ text: words.deployed(version) });
          onDeployed();
        },
      },
    );
  };
  // What was found holds for the text that was checked.
  const isChecked = deploy.variables?.text === change?.text && deploy.variables?.file === change?.file;
  const isIdle = !change || deploy.isPending;
  return (
    <>
      {deploy.error && <Problem error={deploy.error} />}
      {isChecked && deploy.data?.version === null && (
        <p role="status">{words.checked(changesOf(deploy.data))}</p>
      )}
      <div className={css.bar}>
        <button type="button" data-kind="main" disabled={isIdle} onClick={() => send(false)}>
          {words.deploy}
        </button>
        <button type="button" disabled={isIdle} onClick={() => send(true)}>
          {words.check}
        </button>
        {children}
      </div>
      <Leaving isWritten={isWritten && !isDone(deploy.data)} />
    </>
  );
}

const isDone = (deployed: Deployed | undefined): boolean => typeof deployed?.version === 'number';

function changesOf({ added, changed, removed }: Deployed): string {
  return [
    ...(added.length > 0 ? [words.adds(added.join(', '))] : []),
    ...(changed.length > 0 ? [words.changes(changed.join(', '))] : []),
    ...(removed.length > 0 ? [words.removes(removed.join(', '))] : []),
  ].join(' ');
}

/** Asks before what was written is lost. */
function Leaving({ isWritten }: { readonly isWritten: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: () => isWritten,
    enableBeforeUnload: isWritten,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  return (
    <Confirm
      title={words.leave}
      text={words.leaveText}
      button={words.leaveButton}
      isPending={false}
      error={null}
      onSend={blocker.proceed}
      onClose={blocker.reset}
    />
  );
}
