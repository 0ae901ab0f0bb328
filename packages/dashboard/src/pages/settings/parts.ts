/** The parts of the settings, each with an address of its own; the first one is at the page's own. */
export const settingsParts = ['general', 'access', 'answers', 'configs', 'end'] as const;

export type SettingsPart = (typeof settingsParts)[number];

export const isSettingsPart = (name: unknown): name is SettingsPart =>
  settingsParts.some((part) => part === name);
