import { useState } from 'react';
import { Dialog } from './dialog.tsx';
import { Field } from './field.tsx';
import { Form } from './form.tsx';

interface NameDialogProps {
  readonly title: string;
  readonly label: string;
  readonly hint: string;
  readonly button: string;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly onSend: (name: string) => void;
  readonly onClose: () => void;
}

/** Asks what something new is to be called. */
export function NameDialog({
  title,
  label,
  hint,
  button,
  isPending,
  error,
  onSend,
  onClose,
}: NameDialogProps) {
  const [name, setName] = useState('');
  return (
    <Dialog title={title} onClose={onClose}>
      <Form button={button} isPending={isPending} error={error} onSend={() => onSend(name)}>
        <Field
          label={label}
          hint={hint}
          required
          maxLength={100}
          autoFocus
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </Form>
    </Dialog>
  );
}
