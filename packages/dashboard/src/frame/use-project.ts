import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type Project, projectQuery } from '../api/projects.ts';

/** The project whose page this is. */
export function useProject(): Project {
  const { ref } = useParams({ from: '/signed-in/p/$ref' });
  return useSuspenseQuery(projectQuery(ref)).data;
}
