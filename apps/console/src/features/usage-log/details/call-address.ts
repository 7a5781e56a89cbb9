import { paths } from '../../../shared/routing/paths.ts'

/** Where the row of a call is open, whoever looks at it. */
export function callAddress(requestId: string): string {
  return `${paths.usageLog}?${new URLSearchParams({ request_id: requestId })}`
}
