/** An email was not sent, or it is unknown whether it was. */
export class MailFailure extends Error {
  override readonly name = 'MailFailure'
  /** `again`: the email was certainly not delivered, and another attempt may succeed. */
  readonly next: 'again' | 'failed'

  constructor(next: 'again' | 'failed', reason: string, options?: ErrorOptions) {
    super(reason, options)
    this.next = next
  }

  /** For a failure while connecting or signing in: nothing has been handed over yet. */
  static before(error: unknown): MailFailure {
    return new MailFailure(isFinal(error) ? 'failed' : 'again', reasonOf(error), { cause: error })
  }

  /**
   * For a failure while the message was being handed over: without a reply from the server it may have been
   * delivered.
   */
  static during(error: unknown): MailFailure {
    const isRefusedForNow = replyCode(error) !== undefined && !isFinal(error)
    return new MailFailure(isRefusedForNow ? 'again' : 'failed', reasonOf(error), { cause: error })
  }
}

const REASON_CHARACTERS_MAX = 300

/** The server's reply on one line, for the operator. It never contains the password. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : 'unknown'
  return text.replace(/\p{C}+/gu, ' ').slice(0, REASON_CHARACTERS_MAX)
}

function isFinal(error: unknown): boolean {
  return error instanceof Error && 'permanent' in error && error.permanent === true
}

function replyCode(error: unknown): number | undefined {
  const code = error instanceof Error && 'responseCode' in error ? error.responseCode : undefined
  return typeof code === 'number' ? code : undefined
}
