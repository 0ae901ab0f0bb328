import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { deployedFilesQuery } from '../../api/deploy.ts';
import type { FunctionRecord } from '../../api/functions.ts';
import { Problem } from '../../kit/problem.tsx';
import { Wait } from '../../kit/wait.tsx';
import { Bundled } from './bundled.tsx';
import { EditFile } from './edit-file.tsx';

interface CodePartProps {
  readonly projectRef: string;
  readonly version: number;
  readonly one: FunctionRecord;
  /** Which of its sources is shown. */
  readonly source: string | undefined;
  readonly onSource: (source: string) => void;
}

/** The code of a function: to be changed if it runs as it was written, to be read if it was bundled. */
export function CodePart({ projectRef, version: active, one, source, onSource }: CodePartProps) {
  // What somebody is writing in is not replaced when others deploy.
  const [held, setHeld] = useState<number>();
  const version = held ?? active;
  const { data: deployed, error, refetch } = useQuery(deployedFilesQuery(projectRef, version));
  if (error) return <Problem error={error} onRetry={() => void refetch()} />;
  if (!deployed) return <Wait lines={8} />;
  const map = deployed.maps[`${one.file}.map`];
  if (map !== undefined) return <Bundled map={map} name={one.name} source={source} onSource={onSource} />;
  return (
    <EditFile
      key={`${version} ${one.file}`}
      projectRef={projectRef}
      deployed={deployed}
      one={one}
      onWritten={(isWritten) => setHeld(isWritten ? version : undefined)}
    />
  );
}
