import { errorWords, type ErrorRequest, type ErrorWords } from '@tollgate/dialects/errors/render-error'
import { WebSocket } from 'ws'

const POLICY_VIOLATION = 1008
const TRY_AGAIN_LATER = 1013
/** Time in which the other side must confirm the close. */
const CLOSING_MS = 2_000
/** A close frame has room for so many bytes of text. https://www.rfc-editor.org/rfc/rfc6455#section-5.5 */
const REASON_BYTES_MAX = 123

/** Sends an error event and closes the session; the close frame repeats the reason in words. */
export function closeWithError(socket: WebSocket, request: ErrorRequest): void {
  const { status, message } = sendError(socket, request)
  closeSocket(socket, closeCode(status), message)
}

/** Does the same to a caller who sends what is refused, and reads nothing more. */
export function dropWithError(socket: WebSocket, request: ErrorRequest): void {
  const { status, message } = sendError(socket, request)
  dropSocket(socket, closeCode(status), message)
}

/** Sends an error event in the dialect of sessions; the session goes on. */
export function sendError(socket: WebSocket, request: ErrorRequest): ErrorWords {
  const words = errorWords(request)
  const { status: _status, ...error } = words
  const text = JSON.stringify({ type: 'error', event_id: `evt_${request.requestId}`, error })
  if (socket.readyState === WebSocket.OPEN) socket.send(text)
  return words
}

/** The code for a refusal that would have this status in HTTP. */
export function closeCode(status: number): number {
  return status < 500 ? POLICY_VIOLATION : TRY_AGAIN_LATER
}

export function closeSocket(socket: WebSocket, code: number, reason = ''): void {
  if (socket.readyState === WebSocket.CLOSED) return
  // A paused socket would not receive the close frame of the other side.
  socket.resume()
  socket.close(isSendable(code) ? code : POLICY_VIOLATION, shortened(reason))
  setTimeout(() => socket.terminate(), CLOSING_MS).unref()
}

/** Closes a socket without reading anything more, and frees what it has buffered. */
export function dropSocket(socket: WebSocket, code: number, reason = ''): void {
  if (socket.readyState === WebSocket.CLOSED) return
  socket.close(isSendable(code) ? code : POLICY_VIOLATION, shortened(reason))
  // The system has the close frame by then, unless it takes nothing of this caller.
  socket.terminate()
}

/** The beginning of a text that fits a close frame, without half a character. */
function shortened(reason: string): string {
  const bytes = Buffer.from(reason)
  if (bytes.length <= REASON_BYTES_MAX) return reason
  let end = REASON_BYTES_MAX
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return bytes.toString('utf8', 0, end)
}

/**
 * Some close codes are only for local use and must not be sent.
 * https://www.rfc-editor.org/rfc/rfc6455#section-7.4
 */
function isSendable(code: number): boolean {
  return (
    (code >= 1000 && code <= 1014 && ![1004, 1005, 1006].includes(code)) || (code >= 3000 && code <= 4999)
  )
}
