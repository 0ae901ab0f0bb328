const themes = ['system', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];
const densities = ['normal', 'compact'] as const;
type Density = (typeof densities)[number];

interface Look {
  readonly theme: Theme;
  readonly density: Density;
}

const isOneOf = <Word extends string>(words: readonly Word[], text: string | null): text is Word =>
  words.some((word) => word === text);

/** How this browser shows the dashboard. */
export function readLook(): Look {
  const [theme, density] = [localStorage.getItem('theme'), localStorage.getItem('density')];
  return {
    theme: isOneOf(themes, theme) ? theme : 'system',
    density: isOneOf(densities, density) ? density : 'normal',
  };
}

export function applyLook({ theme, density }: Look): void {
  localStorage.setItem('theme', theme);
  localStorage.setItem('density', density);
  const { dataset } = document.documentElement;
  if (theme === 'system') delete dataset.theme;
  else dataset.theme = theme;
  dataset.density = density;
}
