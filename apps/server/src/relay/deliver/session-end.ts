import { errorWords, type ErrorRequest } from '@tollgate/dialects/openai/error'
import { WebSocket } from 'ws'

const POLICY_VIOLATION = 1008
const TRY_AGAIN_LATER = 1013
/** Time for the other side to say that it has heard. */
const CLOSING_MS = 5_000

/** Tells why a session ends, as its dialect has it, and ends it. */
export function closeWithError(socket: WebSocket, request: ErrorRequest): void {
  const status = sendError(socket, request)
  closeSocket(socket, status < 500 ? POLICY_VIOLATION : TRY_AGAIN_LATER)
}

/** Tells what was wrong with an event; the session goes on. Answers the status it would have in HTTP. */
export function sendError(socket: WebSocket, request: ErrorRequest): number {
  const { status, ...error } = errorWords(request)
  send(socket, JSON.stringify({ type: 'error', event_id: `evt_${request.requestId}`, error }))
  return status
}

export function closeSocket(socket: WebSocket, code: number): void {
  if (socket.readyState === WebSocket.CLOSED) return
  // Nothing more is wanted, and a paused socket would not hear that it is closed.
  socket.resume()
  socket.close(isSendable(code) ? code : POLICY_VIOLATION)
  setTimeout(() => socket.terminate(), CLOSING_MS).unref()
}

function send(socket: WebSocket, text: string): void {
  if (socket.readyState === WebSocket.OPEN) socket.send(text)
}

/** Some codes only say what happened on this side. https://www.rfc-editor.org/rfc/rfc6455#section-7.4 */
function isSendable(code: number): boolean {
  return (
    (code >= 1000 && code <= 1014 && ![1004, 1005, 1006].includes(code)) || (code >= 3000 && code <= 4999)
  )
}
