/**
 * A connection that had carried a request before was closed by the other side after the next request was written,
 * before a byte of a response.
 */
export class StaleConnectionError extends Error {
  override readonly name = 'StaleConnectionError'
  readonly code: string
  /** From the first write to the close. */
  readonly afterMs: number
  /** A close that is seen sooner was sent before the other side could have read the request. */
  readonly unreadMs: number

  constructor(cause: Error, times: { readonly afterMs: number; readonly unreadMs: number }) {
    super('the connection was closed before a response', { cause })
    this.code = 'code' in cause && typeof cause.code === 'string' ? cause.code : 'UND_ERR_SOCKET'
    this.afterMs = times.afterMs
    this.unreadMs = times.unreadMs
  }

  /** The request cannot have been read, so it may be sent again. */
  get isUnread(): boolean {
    return this.afterMs < this.unreadMs
  }
}
