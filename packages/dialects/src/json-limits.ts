import { problem } from '@tollgate/kit/problem'
import { scanObject, type ObjectScan, type ScanLimits } from './json-scan.ts'
import type { JudgedShape } from './judged/shape.ts'
import { isRecord, type JsonObject } from './json.ts'

/** What JSON of a caller may have, in any body. Parsing costs memory and time by the value, so all are counted before it. */
export const callerLimits: ScanLimits = {
  depthMax: 64,
  valuesMax: 200_000,
  membersMax: 10_000,
  topMembersMax: 1_000,
}

/** Texts may come to embeddings as numbers of tokens. */
export const embeddingLimits: ScanLimits = { ...callerLimits, numbersMax: 2_000_000 }

/** Characters of the prompt of a drawing, a song or a video: it is searched for orders, and no vendor reads more. */
export const PROMPT_CHARACTERS_MAX = 64 * 1024

/** Where the members of a caller's JSON object stand. Throws a problem beyond the limits, and for what is no object. */
export function checkedScan(
  bytes: Buffer,
  limits: ScanLimits = callerLimits,
  judged?: JudgedShape,
): ObjectScan {
  const scan = scanObject(bytes, limits, judged)
  refuseBeyond(scan, limits)
  if (scan.close < 0) throw problem('unmarshal_request_failed')
  return scan
}

/** Throws a problem when the scan stopped at one of its limits. */
export function refuseBeyond({ beyond }: ObjectScan, limits: ScanLimits): void {
  if (beyond === 'depth') throw problem('body_too_deep', { max: limits.depthMax })
  if (beyond === 'members') throw problem('body_too_many_members', { max: limits.membersMax })
  if (beyond === 'topMembers') throw problem('body_too_many_members', { max: limits.topMembersMax ?? 0 })
  if (beyond === 'values') throw problem('body_too_many_values', { max: limits.valuesMax })
  if (beyond === 'numbers') throw problem('body_too_many_values', { max: limits.numbersMax ?? 0 })
}

/** A caller's JSON object, checked before it is parsed. Throws a problem. */
export function readObject(bytes: Buffer): JsonObject {
  checkedScan(bytes)
  return parsedObject(bytes)
}

/** The same once it was checked. */
export function parsedObject(bytes: Buffer): JsonObject {
  let value: unknown
  try {
    value = JSON.parse(bytes.toString())
  } catch (error) {
    throw problem('unmarshal_request_failed', {}, { cause: error })
  }
  if (!isRecord(value)) throw problem('unmarshal_request_failed')
  return value
}

/** Values that texts may still have in the conversion under way; `undefined` between conversions. */
let valuesLeft: number | undefined

/** Runs a conversion. All JSON that its texts hold, such as arguments of tool calls, has the limit of one body together. */
export function countingTexts<Result>(work: () => Result): Result {
  valuesLeft = callerLimits.valuesMax
  try {
    return work()
  } finally {
    valuesLeft = undefined
  }
}

/**
 * JSON that somebody wrote into a text; `undefined` for what is none. Beyond the limits a conversion throws a problem;
 * elsewhere, as in answers of an upstream, such a text is taken for none.
 */
export function parseText(text: string): unknown {
  const beyond = text.length > callerLimits.depthMax ? beyondLimits(text) : spend(text.length)
  if (beyond !== undefined) {
    if (valuesLeft !== undefined) throw beyond
    return undefined
  }
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The same of an object. */
export function parseTextObject(text: string): Record<string, unknown> | undefined {
  const value = parseText(text)
  return isRecord(value) ? value : undefined
}

function beyondLimits(text: string): Error | undefined {
  const { depthMax, membersMax, valuesMax } = callerLimits
  const scan = scanObject(Buffer.from(`{"":${text}}`), { depthMax: depthMax + 1, membersMax, valuesMax })
  if (scan.beyond === 'depth') return problem('body_too_deep', { max: depthMax })
  if (scan.beyond === 'members') return problem('body_too_many_members', { max: membersMax })
  return scan.beyond === undefined ? spend(scan.values) : problem('body_too_many_values', { max: valuesMax })
}

function spend(values: number): Error | undefined {
  if (valuesLeft === undefined) return undefined
  valuesLeft -= values
  return valuesLeft < 0 ? problem('body_too_many_values', { max: callerLimits.valuesMax }) : undefined
}
