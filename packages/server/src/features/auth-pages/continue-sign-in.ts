import type { PageAnswer } from '../../platform/http/page.ts';
import type { Login } from '../app-users/index.ts';
import { secondStepForm } from './second-step-page.ts';
import type { AuthPageServices } from './services.ts';
import { finishSignIn, type SignInCall } from './sign-in-request.ts';

/** After a first proof: asks for a second one where the account needs it, else goes back to the app. */
export async function continueSignIn(
  services: AuthPageServices,
  call: SignInCall,
  login: Login,
): Promise<PageAnswer> {
  const step = await services.secondStep(call.context, login);
  return step ? secondStepForm(call, step) : finishSignIn(services, call, login);
}
