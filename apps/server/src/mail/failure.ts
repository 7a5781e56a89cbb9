/** A mail that was not sent, or of which nobody knows whether it was. */
export class MailFailure extends Error {
  override readonly name = 'MailFailure'
  /** `again`: certainly not delivered, and another attempt may do better. */
  readonly next: 'again' | 'failed'

  constructor(next: 'again' | 'failed', reason: string, options?: ErrorOptions) {
    super(reason, options)
    this.next = next
  }

  /** Of a connection that was being made: nothing has been handed over. */
  static before(error: unknown): MailFailure {
    return new MailFailure(isFinal(error) ? 'failed' : 'again', reasonOf(error), { cause: error })
  }

  /** Of a message that was being handed over: without the server's word it may have arrived. */
  static during(error: unknown): MailFailure {
    const isRefusedForNow = replyCode(error) !== undefined && !isFinal(error)
    return new MailFailure(isRefusedForNow ? 'again' : 'failed', reasonOf(error), { cause: error })
  }
}

const REASON_CHARACTERS_MAX = 300

/** The server's own words, on one line: an operator needs them. They never hold the password. */
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
