/** What the flows around a sign-in share: tokens and codes that work once, their errors, and how their calls look. */
export {
  endChallenge,
  endCodesBefore,
  findChallenge,
  insertCode,
  removeMailedCodes,
  takeChallenge,
  takeTry,
  useCode,
} from './code-store.ts';
export { codeMinutes, newCode } from './codes.ts';
export { flowOff, invalidCode, invalidToken, tooManyCodes } from './errors.ts';
export { flowRoute } from './flow-route.ts';
export { linkWithToken } from './links.ts';
export { codeField, currentPasswordField, tokenField } from './schemas.ts';
export { countRecentTokens, removeTokensOf } from './token-store.ts';
export { findTokenOwner, keepToken, newToken, passwordMarkOf, takeToken } from './tokens.ts';
