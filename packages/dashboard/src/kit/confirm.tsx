import { useState } from 'react';
import { texts } from '../texts.ts';
import { Dialog } from './dialog.tsx';
import { Field } from './field.tsx';
import { Form } from './form.tsx';

interface ConfirmProps {
  readonly title: string;
  /** What will be gone. */
  readonly text: string;
  /** Typed by whoever means it; without one, the button is enough. */
  readonly name?: string;
  readonly button: string;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly onSend: () => void;
  readonly onClose: () => void;
}

/** Before something that cannot be undone. */
export function Confirm({ title, text, name, button, isPending, error, onSend, onClose }: ConfirmProps) {
  const [typed, setTyped] = useState('');
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        button={button}
        isDanger
        isPending={isPending}
        isDisabled={name !== undefined && typed !== name}
        error={error}
        onSend={onSend}
      >
        <p>{text}</p>
        {name !== undefined && (
          <Field
            label={texts.typeToConfirm(name)}
            autoComplete="off"
            autoFocus
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
      </Form>
    </Dialog>
  );
}
