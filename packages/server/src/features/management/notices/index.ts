/** Notices: what the service tells the team of its own accord. */
export { type DisabledSubscriber, tellDisabled } from './subscriber-disabled.ts';
