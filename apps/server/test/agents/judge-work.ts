import type { TappedRequest } from './tap.ts'
import type { Exchange, VendorFault } from './vendor/open-vendor.ts'
import { resultText, task } from './vendor/task.ts'

/** How an agent process ended. */
export interface Ended {
  readonly code: number | string
  readonly printed: string
}

export function workFaults({
  code,
  printed,
  written,
}: Ended & { written: string | undefined }): readonly string[] {
  const difference =
    written === undefined ? 'no file was written' : `the file differs: ${JSON.stringify(written)}`
  return [
    ...(code === 0 ? [] : [`exit: ${code}`]),
    ...(written === resultText(task.found) ? [] : [difference]),
    ...(printed.includes(task.ending) ? [] : ['the last words were not printed']),
  ]
}

/**
 * The gateway may retry a call once in another form and must then remember that form, so a few vendor
 * refusals are allowed in a run.
 */
const REFUSALS_MAX = 4

/** Reports refusals that reached the agent, and requests that the vendor had to refuse repeatedly. */
export function refusalFaults({
  requests,
  book,
  fault,
}: {
  readonly requests: readonly TappedRequest[]
  readonly book: readonly Exchange[]
  readonly fault: VendorFault | undefined
}): readonly string[] {
  const isExpected = (status: number) => status === 429 && fault?.kind === 'busy'
  const refused = requests.filter(
    ({ method, status }) => method === 'POST' && status >= 400 && !isExpected(status),
  )
  const reasons = book.flatMap(({ status, path, refusal = '' }) =>
    status === 200 || isExpected(status) ? [] : [`${status} at ${path}: ${refusal}`],
  )
  const said = [...new Set(reasons)].join('; ')
  if (refused.length > 0)
    return [`${refused.length} calls were refused; the vendor said ${said || 'nothing'}`]
  return reasons.length > REFUSALS_MAX ? [`the vendor refused ${reasons.length} calls: ${said}`] : []
}

/** Reports calls that an agent with a WebSocket sent over HTTP, because its connection was refused or broke. */
export function transportFaults(requests: readonly TappedRequest[]): readonly string[] {
  const refused = requests.filter(({ method, status }) => method === 'UPGRADE' && status !== 101)
  const posted = requests.filter(({ method }) => method === 'POST')
  if (refused.length + posted.length === 0) return []
  return [`${refused.length} handshakes were refused, and ${posted.length} calls came over HTTP`]
}

/**
 * Later requests repeat the prefix of the one before. Most of their prompt must be a cache hit, whether the
 * vendor caches automatically or on request.
 */
export function cacheFaults(book: readonly Exchange[]): readonly string[] {
  const later = book.filter(
    ({ request, usage }) => usage && request && request.marks?.length !== 0 && request.results.length > 0,
  )
  const cold = later.filter(({ usage }) => usage && usage.cacheRead < usage.input)
  return cold.length === 0 ? [] : [`${cold.length} of ${later.length} later requests missed the cache`]
}
