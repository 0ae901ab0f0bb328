import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { type MadeProject, useCreateProject } from '../../api/projects.ts';
import { Copyable } from '../../kit/copyable.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { Field } from '../../kit/field.tsx';
import { Problem } from '../../kit/problem.tsx';
import { texts } from '../../texts.ts';
import css from './projects-page.module.css';

const { projects: words } = texts;

/** Asks for a name, then shows the API key, which nobody sees again. */
export function NewProject({ onClose }: { readonly onClose: () => void }) {
  const create = useCreateProject();
  const [name, setName] = useState('');
  const send = (event: FormEvent) => {
    event.preventDefault();
    create.mutate(name);
  };
  if (create.data) return <NewKey project={create.data} onClose={onClose} />;
  return (
    <Dialog title={words.create} onClose={onClose}>
      <form className={css.form} onSubmit={send}>
        <Field
          label={words.name}
          hint={words.nameHint}
          required
          maxLength={100}
          autoFocus
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        {create.error && <Problem error={create.error} />}
        <button data-kind="main" disabled={create.isPending}>
          {words.createButton}
        </button>
      </form>
    </Dialog>
  );
}

function NewKey({ project, onClose }: { readonly project: MadeProject; readonly onClose: () => void }) {
  const navigate = useNavigate();
  return (
    <Dialog title={words.keyTitle} onClose={onClose}>
      <p>{words.keyText}</p>
      <Copyable text={project.apiKey} label={words.keyTitle} />
      <button
        type="button"
        data-kind="main"
        onClick={() => void navigate({ to: '/p/$ref', params: { ref: project.ref } })}
      >
        {words.open}
      </button>
    </Dialog>
  );
}
