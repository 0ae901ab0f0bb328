import { useNavigate } from '@tanstack/react-router';
import { type MadeProject, useCreateProject } from '../../api/projects.ts';
import { Copyable } from '../../kit/copyable.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { NameDialog } from '../../kit/name-dialog.tsx';
import { texts } from '../../texts.ts';

const { projects: words } = texts;

/** Asks for a name, then shows the API key, which nobody sees again. */
export function NewProject({ onClose }: { readonly onClose: () => void }) {
  const create = useCreateProject();
  if (create.data) return <NewKey project={create.data} onClose={onClose} />;
  return (
    <NameDialog
      title={words.create}
      label={words.name}
      hint={words.nameHint}
      button={words.createButton}
      isPending={create.isPending}
      error={create.error}
      onSend={(name) => create.mutate(name)}
      onClose={onClose}
    />
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
