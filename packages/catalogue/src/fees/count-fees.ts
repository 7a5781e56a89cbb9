import { isRecord } from '@tollgate/kit/json'
import type { FeeRow } from './fee-row.ts'
import { isContextSize, isForModel, type RequestedFee } from './request-fees.ts'

/** What an answer says about fees. */
export interface FeeReport {
  /** The vendor's own usage object. */
  readonly usage: unknown
  /** What the dialects counted in the answer, by the names of `FeeRow.evidence`. */
  readonly evidence: Readonly<Record<string, number>>
  /** The model as the vendor got it. */
  readonly model: string
  /** The request refers to a prompt kept by the vendor, which may ask for more than can be seen. */
  readonly isPromptStored: boolean
}

export type FeeCounts = Readonly<Record<string, number>>

/**
 * Counts the units of each fee that an answer caused. The vendor's own count beats ours; of a count that is
 * reported in several places the largest holds. Only counts above zero are returned.
 */
export function countFees(
  rows: readonly FeeRow[],
  requested: readonly RequestedFee[],
  report: FeeReport,
): FeeCounts {
  const counts: Record<string, number> = {}
  const explained = new Set<string>()
  for (const row of rows) {
    const request = requested.find((each) => each.row === row)
    if (!isForModel(row, report.model) || !isReportedSize(row, report, request)) continue
    const evidence = findEvidence(row, { request, report, explained })
    const vendorCount = findReported(row, report.usage, explained)
    if (evidence !== undefined && row.evidence !== undefined) explained.add(row.evidence)
    if (vendorCount !== undefined) for (const place of row.reportedAt) explained.add(place)
    const unitsPerUse = findUnitsPerUse(row, request, report)
    // Where a use has several units, the vendor reports uses.
    const units = (vendorCount ?? evidence ?? 0) * unitsPerUse
    const isUnreported = vendorCount === undefined && isCertain(row, request)
    const count = isUnreported ? Math.max(units, unitsPerUse) : units
    if (count > 0) counts[row.name] = count
  }
  return { ...counts, ...listUnexplained(rows, report) }
}

/** An answer that is charged as such is charged whatever the request says, unless the vendor reports a count. */
function isCertain({ requests }: FeeRow, request: RequestedFee | undefined): boolean {
  return request?.isCertain ?? requests.some(({ type, isCertain: isAlways }) => type === 'every' && isAlways)
}

/** The request says how large a container is, and so does an answer that repeats the request. */
function findUnitsPerUse(
  { perUse, isByMemory, evidence = '' }: FeeRow,
  request: RequestedFee | undefined,
  report: FeeReport,
): number {
  const usual = request?.unitsPerUse ?? perUse?.usual ?? 1
  return isByMemory === true ? Math.max(usual, report.evidence[`${evidence}${MEMORY}`] ?? 1) : usual
}

/** Ends the names of evidence that is no count, but the size of the containers that were counted. */
const MEMORY = '_memory'

/** Paid uses that none of the vendor's rows explains. They have no price, so they are marked, not lost. */
function listUnexplained(rows: readonly FeeRow[], { evidence }: FeeReport): FeeCounts {
  const explainable = new Set(rows.flatMap(({ evidence: own, formerName }) => [own, formerName]))
  const others = Object.entries(evidence).filter(
    ([name, count]) => count > 0 && !explainable.has(name) && !name.endsWith(MEMORY) && !FREE.has(name),
  )
  return Object.fromEntries(others)
}

/** Evidence that means a fee only at the vendors whose rows name it. */
const FREE: ReadonlySet<string> = new Set(['search_results', 'vendor_function', 'code_interpreter_runs'])

interface EvidenceOptions {
  readonly request: RequestedFee | undefined
  readonly report: FeeReport
  /** Evidence and places in the usage that another fee explains. */
  readonly explained: ReadonlySet<string>
}

function findEvidence(row: FeeRow, { request, report, explained }: EvidenceOptions): number | undefined {
  const { evidence: name, isOnlyIfRequested } = row
  if (name === undefined || explained.has(name) || !Object.hasOwn(report.evidence, name)) return undefined
  const isRequested = request !== undefined || report.isPromptStored
  return isOnlyIfRequested === true && !isRequested ? undefined : report.evidence[name]
}

/** The largest count that the usage reports, where it reports one. */
function findReported(
  { reportedAt }: FeeRow,
  usage: unknown,
  explained: ReadonlySet<string>,
): number | undefined {
  const counts = reportedAt.flatMap((path) => {
    const value = readPath(usage, path)
    return isCount(value) && !explained.has(path) ? [value] : []
  })
  return counts.length === 0 ? undefined : Math.max(...counts)
}

function readPath(usage: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce(
      (value: unknown, name) => (isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined),
      usage,
    )
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

/** The vendor reports the size with which it searched; else the requested one holds. */
function isReportedSize(row: FeeRow, { usage }: FeeReport, request: RequestedFee | undefined): boolean {
  if (row.contextSize === undefined) return true
  const size = readPath(usage, 'search_context_size')
  return typeof size === 'string' ? isContextSize(row, size) : request !== undefined
}
