import { parseObject, textAt } from '@tollgate/dialects/json'
import { isProblemCode, problems } from '@tollgate/problems/problem'

/** How the gateway's own `error` events begin; those of vendors are never passed on. */
const BEGINNING = '{"type":"error",'
const STATUS = 502

/**
 * An event as it is sent in a frame. An `error` event gets a status and its details in `error`, as every error in
 * a WebSocket has; Codex ignores one without them and waits for minutes.
 */
export function asFrame(event: string): string {
  if (!event.startsWith(BEGINNING)) return event
  const { sequence_number: number, code = null, message = '', param = null } = parseObject(event) ?? {}
  const known = textAt({ code }, 'code') ?? ''
  const status = isProblemCode(known) ? problems[known].status : STATUS
  const type = status < 500 ? 'invalid_request_error' : 'server_error'
  return JSON.stringify({
    type: 'error',
    status,
    sequence_number: number,
    error: { type, code, message, param: param === '' ? null : param },
  })
}
