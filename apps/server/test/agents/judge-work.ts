import type { TappedRequest } from './tap.ts'
import type { Exchange, VendorFault } from './vendor/open-vendor.ts'
import type { AgentProgram } from './programs/agent-program.ts'
import type { ChargedRow } from './gateway.ts'
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

/** The least status of a caller whose stream broke off before the first of it could be passed on. */
const BROKEN_STATUS_MIN = 500

export function brokenAtOnce(requests: readonly TappedRequest[]): number {
  return requests.filter(({ status }) => status >= BROKEN_STATUS_MIN).length
}

/** Reports refusals that reached the agent, and requests that the vendor had to refuse repeatedly. */
export function refusalFaults({
  requests,
  book,
  faults,
}: {
  readonly requests: readonly TappedRequest[]
  readonly book: readonly Exchange[]
  readonly faults: readonly VendorFault[]
}): readonly string[] {
  const isDue = (wanted: VendorFault['kind']) => faults.some(({ kind }) => kind === wanted)
  const isExpected = (status: number) =>
    (status === 429 && isDue('busy')) || (status >= BROKEN_STATUS_MIN && isDue('broken'))
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

/** Reports a session that did not go on, on another node, after its first node was drained. */
export function drainFaults(
  requests: readonly TappedRequest[],
  rows: readonly ChargedRow[],
): readonly string[] {
  const joined = requests.filter(({ status }) => status === 101)
  const nodes = new Set(joined.map(({ node }) => node)).size
  const sessions = new Set(rows.flatMap(({ session }) => (session === '' ? [] : [session]))).size
  return [
    ...(nodes === 2 ? [] : [`${joined.length} connections reached ${nodes} nodes instead of 2`]),
    ...(sessions === 1 ? [] : [`the calls belong to ${sessions} sessions`]),
  ]
}

/** The calls of a task belong to one session, if the agent names one, and to the agent itself. */
export function sessionFaults(
  { id, client, namesNoSession = false }: AgentProgram,
  rows: readonly ChargedRow[],
): readonly string[] {
  const named = rows.flatMap(({ session }) => (session === '' ? [] : [session]))
  const others = [...new Set(rows.map((row) => row.client))].filter((name) => name !== client)
  const isExpected = namesNoSession ? named.length === 0 : new Set(named).size > 0
  // Titles and summaries may be asked for outside of the session.
  const most = Math.max(0, ...[...new Set(named)].map((one) => named.filter((each) => each === one).length))
  return [
    ...(isExpected ? [] : [`${named.length} of ${rows.length} calls of ${id} named a session`]),
    ...(namesNoSession || most >= TASK_CALLS ? [] : [`only ${most} calls share a session`]),
    ...(others.length === 0 ? [] : [`calls are shown as those of ${others.join()}`]),
  ]
}

/** Two files are read, a command is run, a file is written, and the end is reported. */
const TASK_CALLS = 4
