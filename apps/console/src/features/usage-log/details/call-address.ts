import { paths } from '../../../shared/routing/paths.ts'

/** The address at which the log opens the row of a call, valid for every reader. */
export function callAddress(requestId: string): string {
  return `${paths.usageLog}?${new URLSearchParams({ request_id: requestId })}`
}

/** The address at which the log lists the calls of a session. */
export function sessionAddress(session: string): string {
  return `${paths.usageLog}?${new URLSearchParams({ session })}`
}
