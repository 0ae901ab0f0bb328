import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type NewAppUser, useCreateUser, useMailPasswordLink } from '../../api/users.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { Field, SelectField } from '../../kit/field.tsx';
import { Form } from '../../kit/form.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { texts } from '../../texts.ts';

const { users: words } = texts;

interface NewUserDialogProps {
  readonly projectRef: string;
  readonly onClose: () => void;
}

/** Makes a user, and if wanted mails the link that lets it in. */
export function NewUserDialog({ projectRef: ref, onClose }: NewUserDialogProps) {
  const create = useCreateUser(ref);
  const mailLink = useMailPasswordLink(ref);
  const navigate = useNavigate();
  const say = useToast();
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [role, setRole] = useState('');
  const [way, setWay] = useState<keyof typeof words.waysIn>('link');
  const [password, setPassword] = useState('');
  // The user is there, whatever becomes of the mail.
  const invite = () =>
    mailLink.mutateAsync(email).then(
      () => say({ text: words.createdMailed(email) }),
      (error: Error) => say({ text: words.createdNotMailed(error.message) }),
    );
  const send = () => {
    const user: NewAppUser = {
      email,
      ...(role && { role }),
      ...(name && { data: { name } }),
      ...(way === 'password' && { password }),
    };
    create.mutate(user, {
      onSuccess: ({ id }) => {
        void navigate({ to: '/p/$ref/users/$id', params: { ref, id } });
        if (way === 'link') void invite();
        else say({ text: words.created });
      },
    });
  };
  return (
    <Dialog title={words.create} onClose={onClose}>
      <Form button={words.createButton} isPending={create.isPending} error={create.error} onSend={send}>
        <Field
          label={words.email}
          type="email"
          required
          autoFocus
          autoComplete="off"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <Field
          label={words.name}
          autoComplete="off"
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <Field
          label={words.role}
          hint={words.roleHint}
          placeholder="user"
          maxLength={64}
          value={role}
          onChange={(event) => setRole(event.target.value)}
        />
        <SelectField
          label={words.wayIn}
          hint={words.waysInHint[way]}
          words={words.waysIn}
          value={way}
          onChange={setWay}
        />
        {way === 'password' && (
          <Field
            label={words.password}
            hint={words.passwordHint}
            type="password"
            autoComplete="new-password"
            required
            minLength={8}
            maxLength={256}
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        )}
      </Form>
    </Dialog>
  );
}
