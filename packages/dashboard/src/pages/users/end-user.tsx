import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type AppUser, useChangeUser, useDeleteUser } from '../../api/users.ts';
import { Confirm } from '../../kit/confirm.tsx';
import { Problem } from '../../kit/problem.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { texts } from '../../texts.ts';

const { user: words } = texts;

interface OfUser {
  readonly projectRef: string;
  readonly user: AppUser;
}

export function SuspendUser({ projectRef, user }: OfUser) {
  const change = useChangeUser(projectRef, user.id);
  const say = useToast();
  const [isAsking, setAsking] = useState(false);
  const lift = () => change.mutate([{ suspended: false }], { onSuccess: () => say({ text: words.lifted }) });
  const done = () => {
    setAsking(false);
    say({ text: words.suspendDone, undo: lift });
  };
  if (user.suspended)
    return (
      <>
        {change.error && <Problem error={change.error} />}
        <button type="button" disabled={change.isPending} onClick={lift}>
          {words.lift}
        </button>
      </>
    );
  return (
    <>
      <button type="button" onClick={() => setAsking(true)}>
        {words.suspend}
      </button>
      {isAsking && (
        <Confirm
          title={words.suspend}
          text={words.suspendText}
          button={words.suspend}
          isPending={change.isPending}
          error={change.error}
          onSend={() => change.mutate([{ suspended: true }], { onSuccess: done })}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

export function DeleteUser({ projectRef: ref, user }: OfUser) {
  const remove = useDeleteUser(ref, user.id);
  const navigate = useNavigate();
  const say = useToast();
  const [isAsking, setAsking] = useState(false);
  const send = () =>
    remove.mutate(undefined, {
      onSuccess: () => {
        void navigate({ to: '/p/$ref/users', params: { ref }, search: {} });
        say({ text: words.removed });
      },
    });
  return (
    <>
      <button type="button" data-kind="danger" onClick={() => setAsking(true)}>
        {words.remove}
      </button>
      {isAsking && (
        <Confirm
          title={words.removeTitle}
          text={words.removeText}
          name={user.email ?? user.id}
          button={words.remove}
          isPending={remove.isPending}
          error={remove.error}
          onSend={send}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
