import { needsSignIn, SignInAgain } from './sign-in-again.tsx';

interface Change<Given> {
  readonly error: Error | null;
  readonly variables: Given | undefined;
  readonly mutate: (given: Given) => void;
  readonly reset: () => void;
}

/** Why a change was refused, unless a sign-in is all that it needs. */
export const refusalOf = ({ error }: { readonly error: Error | null }): Error | null =>
  needsSignIn(error) ? null : error;

/** Where a change needs a recent sign-in: asks for one, then makes the change that was meant. */
export function AsksAgain<Given>({ change }: { readonly change: Change<Given> }) {
  if (!needsSignIn(change.error)) return null;
  return (
    <SignInAgain onDone={() => change.mutate(change.variables as Given)} onClose={() => change.reset()} />
  );
}
