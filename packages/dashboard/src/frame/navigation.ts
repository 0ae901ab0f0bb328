import { texts } from '../texts.ts';

interface PageLink {
  readonly to: '/p/$ref' | '/p/$ref/data';
  readonly name: string;
}

/** The pages of a project, in the groups in which they are listed. */
export const navigation: readonly (readonly PageLink[])[] = [
  [
    { to: '/p/$ref', name: texts.frame.home },
    { to: '/p/$ref/data', name: texts.frame.data },
  ],
];
