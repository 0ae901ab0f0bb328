import { type About, Labelled } from './field.tsx';
import { SuggestInput, type Suggesting } from './suggest-input.tsx';

/** A line with a label that offers what could come next. */
export function SuggestField({ label, hint, mistake, ...input }: About & Suggesting) {
  return (
    <Labelled about={{ label, hint, mistake }}>{(ties) => <SuggestInput {...input} {...ties} />}</Labelled>
  );
}
