import { errorWords, type ErrorRequest } from '@tollgate/dialects/errors/render-error'

/** The frame that reports an error of the connection, or of a call that never began. */
export function errorFrame(request: ErrorRequest, lane: string | undefined): string {
  const { status, message, type, param, code } = errorWords(request)
  const error = { type, code, message, param: param === '' ? null : param }
  return JSON.stringify({ type: 'error', status, stream_id: lane, error })
}
