import { errorWords, type ErrorRequest } from '@tollgate/dialects/errors/render-error'
import { WebSocket } from 'ws'

const POLICY_VIOLATION = 1008
const TRY_AGAIN_LATER = 1013
/** Time in which the other side must confirm the close. */
const CLOSING_MS = 5_000

/** Sends an error event in the session's dialect and closes the session. */
export function closeWithError(socket: WebSocket, request: ErrorRequest): void {
  const status = sendError(socket, request)
  closeSocket(socket, status < 500 ? POLICY_VIOLATION : TRY_AGAIN_LATER)
}

/** Sends an error event; the session goes on. Returns the status that the error would have in HTTP. */
export function sendError(socket: WebSocket, request: ErrorRequest): number {
  const { status, ...error } = errorWords(request)
  send(socket, JSON.stringify({ type: 'error', event_id: `evt_${request.requestId}`, error }))
  return status
}

export function closeSocket(socket: WebSocket, code: number): void {
  if (socket.readyState === WebSocket.CLOSED) return
  // Incoming data is no longer needed, but a paused socket would not receive the close frame.
  socket.resume()
  socket.close(isSendable(code) ? code : POLICY_VIOLATION)
  setTimeout(() => socket.terminate(), CLOSING_MS).unref()
}

function send(socket: WebSocket, text: string): void {
  if (socket.readyState === WebSocket.OPEN) socket.send(text)
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
