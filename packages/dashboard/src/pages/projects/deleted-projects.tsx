import type { Project } from '../../api/projects.ts';
import { useRestoreProject } from '../../api/settings.ts';
import { AsksAgain, refusalOf } from '../../frame/asks-again.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Row, Rows } from '../../kit/rows.tsx';
import { Section } from '../../kit/section.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { when } from '../../kit/when.ts';
import { texts } from '../../texts.ts';

const { projects: words } = texts;
const weekMs = 7 * 24 * 3600_000;

const goneAt = (deletedAt: string) => new Date(Date.parse(deletedAt) + weekMs).toISOString();

/** Projects that wait to be removed for good. */
export function DeletedProjects({ projects }: { readonly projects: readonly Project[] }) {
  return (
    <Section title={words.deleted} lead={words.deletedText}>
      <Rows>
        {projects.map((project) => (
          <DeletedProject key={project.ref} project={project} />
        ))}
      </Rows>
    </Section>
  );
}

function DeletedProject({ project }: { readonly project: Project }) {
  const { ref, name, role, deletedAt = '' } = project;
  const restore = useRestoreProject();
  const say = useToast();
  const refusal = refusalOf(restore);
  return (
    <Row
      title={name}
      facts={[
        words.deletedFacts(ref, when(goneAt(deletedAt))),
        ...(role === 'owner' ? [] : [words.ownerRestores]),
      ].join('. ')}
    >
      <button
        type="button"
        aria-label={words.restoreOne(name)}
        disabled={role !== 'owner' || restore.isPending}
        onClick={() => restore.mutate(ref, { onSuccess: () => say({ text: words.restored(name) }) })}
      >
        {words.restore}
      </button>
      {refusal && <Problem error={refusal} />}
      <AsksAgain change={restore} />
    </Row>
  );
}
