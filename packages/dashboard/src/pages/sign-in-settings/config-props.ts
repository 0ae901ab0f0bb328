import type { ConfigKey } from '../../api/sign-in-settings.ts';

/** What a part of the page is given. */
export interface ConfigProps {
  readonly projectRef: string;
  readonly configs: readonly ConfigKey[];
}

/** Those of the keys that a part is about, in its order. */
export const keysIn = (configs: readonly ConfigKey[], names: readonly string[]): readonly ConfigKey[] =>
  names.flatMap((name) => configs.filter(({ key }) => key === name));

/** Meanings come with code between backquotes; here they are plain sentences. */
export const meaningOf = ({ meaning }: ConfigKey): string => meaning.replaceAll('`', '');
