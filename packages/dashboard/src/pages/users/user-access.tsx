import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type AppUser, useChangeUser, useMailPasswordLink } from '../../api/users.ts';
import { Confirm } from '../../kit/confirm.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { Field } from '../../kit/field.tsx';
import { Form } from '../../kit/form.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Section } from '../../kit/section.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { texts } from '../../texts.ts';
import css from './user-page.module.css';

const { user: words } = texts;

interface OfUser {
  readonly projectRef: string;
  readonly user: AppUser;
}

type Asked = 'password' | 'factor';

/** How somebody gets in, and how to help those who cannot. */
export function UserAccess({ projectRef, user }: OfUser) {
  const mailLink = useMailPasswordLink(projectRef);
  const say = useToast();
  const [asked, setAsked] = useState<Asked>();
  const { email } = user;
  const props = { projectRef, user, onClose: () => setAsked(undefined) };
  return (
    <Section title={words.getIn} lead={words.getInText}>
      {mailLink.error && <Problem error={mailLink.error} />}
      <div className={css.buttons}>
        {email !== null && (
          <button
            type="button"
            disabled={mailLink.isPending}
            onClick={() => mailLink.mutate(email, { onSuccess: () => say({ text: words.linkSent(email) }) })}
          >
            {words.mailLink}
          </button>
        )}
        <button type="button" onClick={() => setAsked('password')}>
          {words.setPassword}
        </button>
        <button type="button" onClick={() => setAsked('factor')}>
          {words.removeFactor}
        </button>
      </div>
      {email !== null && (
        <Link to="/p/$ref/messages" params={{ ref: projectRef }} search={{ part: 'outbox', to: email }}>
          {texts.userSignIns.mails}
        </Link>
      )}
      {asked === 'password' && <SetPassword {...props} />}
      {asked === 'factor' && <RemoveFactor {...props} />}
    </Section>
  );
}

interface DialogOfUser extends OfUser {
  readonly onClose: () => void;
}

function SetPassword({ projectRef, user, onClose }: DialogOfUser) {
  const change = useChangeUser(projectRef, user.id);
  const say = useToast();
  const [password, setPassword] = useState('');
  const done = () => {
    onClose();
    say({ text: words.passwordSet });
  };
  return (
    <Dialog title={words.setPassword} onClose={onClose}>
      <Form
        button={words.setPassword}
        isPending={change.isPending}
        error={change.error}
        onSend={() => change.mutate([{ password }], { onSuccess: done })}
      >
        <p>{words.getInText}</p>
        <Field
          label={words.newPassword}
          hint={texts.users.passwordHint}
          type="password"
          autoComplete="new-password"
          required
          minLength={8}
          maxLength={256}
          autoFocus
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      </Form>
    </Dialog>
  );
}

function RemoveFactor({ projectRef, user, onClose }: DialogOfUser) {
  const change = useChangeUser(projectRef, user.id);
  const say = useToast();
  const done = () => {
    onClose();
    say({ text: words.factorRemoved });
  };
  return (
    <Confirm
      title={words.removeFactor}
      text={words.removeFactorText}
      button={words.removeFactor}
      isPending={change.isPending}
      error={change.error}
      onSend={() => change.mutate([{ authenticator: false }], { onSuccess: done })}
      onClose={onClose}
    />
  );
}
