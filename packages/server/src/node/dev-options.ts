/** What only `plinth dev` has, on a machine of its developer: no setting of a node opens it. */
export interface DevOptions {
  /** Where mails and text messages are kept instead of sent, to be shown at `/dev/mail`. */
  readonly mailFolder: string | undefined;
}
