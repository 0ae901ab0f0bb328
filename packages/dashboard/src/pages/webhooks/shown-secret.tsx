import type { ReactNode } from 'react';
import { codeTexts } from '../../code-texts.ts';
import { Copyable } from '../../kit/copyable.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import css from './webhooks.module.css';

const { webhooks: words } = codeTexts;

interface ShownSecretProps {
  readonly secret: string;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

/** The secret, this once. */
export function ShownSecret({ secret, onClose, children }: ShownSecretProps) {
  return (
    <Dialog title={words.secretTitle} onClose={onClose}>
      <p>{words.secretText}</p>
      <Copyable text={secret} label={words.secretTitle} />
      {children !== undefined && <div className={css.buttons}>{children}</div>}
    </Dialog>
  );
}
