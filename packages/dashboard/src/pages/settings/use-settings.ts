import type { ProjectSettings } from '../../api/projects.ts';
import { useChangeSettings } from '../../api/settings.ts';
import { useProject } from '../../frame/use-project.ts';
import { useToast } from '../../kit/toasts.tsx';
import { texts } from '../../texts.ts';

const defaults: ProjectSettings = {
  responseFormat: 'envelope',
  uploads: 'users',
  language: 'en',
  rooms: {},
  logQueries: 'names',
  refuseBrowserKeys: false,
  allow2faOptOut: false,
  testReceivers: [],
};

/** The settings of the project; what is changed is saved at once, alone, and can be taken back. */
export function useSettings() {
  const { ref, settings = defaults } = useProject();
  const change = useChangeSettings(ref);
  const say = useToast();
  const save = (changes: Partial<ProjectSettings>) => {
    const names = Object.keys(changes) as (keyof ProjectSettings)[];
    const before = Object.fromEntries(names.map((name) => [name, settings[name]]));
    change.mutate(changes, {
      onSuccess: () => say({ text: texts.settings.saved, undo: () => change.mutate(before) }),
    });
  };
  // What was just chosen is shown at once.
  const shown = change.isPending ? { ...settings, ...change.variables } : settings;
  return { settings: shown, save, error: change.error };
}
