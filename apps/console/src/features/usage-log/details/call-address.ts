import { paths } from '../../../shared/routing/paths.ts'

/** The address at which the log opens the row of a call, valid for every reader. */
export function callAddress(requestId: string): string {
  return `${paths.usageLog}?${new URLSearchParams({ request_id: requestId })}`
}

/** The address at which the sessions page opens the session. */
export function sessionAddress(session: string): string {
  return `${paths.callSessions}?${new URLSearchParams({ session })}`
}
