/** The flows around a login: verification, reset, second step, phone, hosted sign-in. */
export { accountFlows } from './account-flows.ts';
export { authFlowTasks } from './jobs.ts';
export { prepareReset, requestPasswordReset, resetPassword } from './password-reset.ts';
export { checkPhoneLogin, sendPhoneCode } from './phone.ts';
export { addAuthFlowRoutes } from './routes.ts';
export { beginSecondStep, completeSecondStep, resendCode } from './second-step.ts';
export type { AuthFlowServices } from './services.ts';
export { issueSignInCode } from './sign-in-code.ts';
export { forgetOldFlows } from './sweep.ts';
export { resealAuthenticators } from './totp.ts';
export { verifyEmail } from './verification.ts';
