import { loginOf } from '../../src/features/app-users/index.ts';
import { issueSignInCode } from '../../src/features/auth-flows/index.ts';
import { getProject, type RequestContext } from '../../src/features/projects/index.ts';
import type { Person } from '../app-users/people.ts';
import type { FlowProject } from './actors.ts';
import type { MailApp } from './mail-app.ts';

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
  return issueSignInCode(context, await loginOf(context, id, 'password'), {
    redirectUri: appUri,
    codeChallenge,
  });
}
