import { lazy, Suspense } from 'react';
import { Wait } from '../../kit/wait.tsx';
import type { CodeEditorProps } from './code-editor.tsx';
import css from './code-part.module.css';

const CodeEditor = lazy(async () => ({ default: (await import('./code-editor.tsx')).CodeEditor }));

/** The editor in its place. It is loaded with the first text that is shown. */
export function CodeFrame(props: CodeEditorProps) {
  return (
    <div className={css.frame}>
      <Suspense fallback={<Wait lines={8} />}>
        <CodeEditor {...props} />
      </Suspense>
    </div>
  );
}
