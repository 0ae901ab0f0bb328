import { type RequestContext } from '../../../src/calls/index.ts';
import { getProject } from '../../../src/features/control/projects/index.ts';
import { signInOf } from '../../../src/features/people/sessions/index.ts';
import { issueSignInCode } from '../../../src/features/people/sign-in-code/index.ts';
import type { FlowProject } from './actors.ts';
import type { MailApp } from './mail-app.ts';
import type { Person } from './people.ts';

/** Where the app of the tests wants its users to come back to. */
export const appUri = 'https://app.example.com/signed-in';

/** A code as the hosted page gives it to an app. */
export async function signInCode(
  t: MailApp,
  { ref }: FlowProject,
  { id }: Person,
  codeChallenge?: string,
): Promise<string> {
  const found = await getProject(t.control, ref);
  const context = { project: found, db: t.cells.forProject(found) } as RequestContext;
  return issueSignInCode(context, await signInOf(context, id, 'password'), {
    redirectUri: appUri,
    codeChallenge,
  });
}
