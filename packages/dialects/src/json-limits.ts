import { problem } from '@tollgate/problems/problem'
import { scanObject, type ObjectScan, type ScanLimits } from './json-scan.ts'
import type { CheckedShape } from './checked/shape.ts'
import { isRecord, type JsonObject } from './json.ts'

/**
 * Limits for callers' JSON, in any body. The cost of parsing in memory and time depends on the number of
 * values, so all values are counted before parsing.
 */
export const callerLimits: ScanLimits = {
  depthMax: 64,
  valuesMax: 200_000,
  membersMax: 10_000,
  topMembersMax: 1_000,
}

/** Embedding inputs may be lists of token numbers. */
export const embeddingLimits: ScanLimits = { ...callerLimits, numbersMax: 2_000_000 }

/**
 * Maximum characters in the prompt of an image, song or video task: the prompt is searched for command
 * options, and no vendor reads more.
 */
export const PROMPT_CHARACTERS_MAX = 64 * 1024

/**
 * Finds the members of a caller's JSON object. Throws a problem if a limit is exceeded or if the body is not
 * an object.
 */
export function checkedScan(
  bytes: Buffer,
  limits: ScanLimits = callerLimits,
  judged?: CheckedShape,
): ObjectScan {
  const scan = scanObject(bytes, limits, judged)
  rejectExceeded(scan, limits)
  if (scan.close < 0) throw problem('unmarshal_request_failed')
  return scan
}

/** Throws a problem if the scan stopped at one of its limits. */
export function rejectExceeded({ beyond }: ObjectScan, limits: ScanLimits): void {
  if (beyond === 'depth') throw problem('body_too_deep', { max: limits.depthMax })
  if (beyond === 'members') throw problem('body_too_many_members', { max: limits.membersMax })
  if (beyond === 'topMembers') throw problem('body_too_many_members', { max: limits.topMembersMax ?? 0 })
  if (beyond === 'values') throw problem('body_too_many_values', { max: limits.valuesMax })
  if (beyond === 'numbers') throw problem('body_too_many_values', { max: limits.numbersMax ?? 0 })
}

/** Parses a caller's JSON object after checking its limits. Throws a problem. */
export function readObject(bytes: Buffer): JsonObject {
  checkedScan(bytes)
  return parsedObject(bytes)
}

/** Parses a JSON object whose limits have already been checked. */
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

/**
 * Number of values that JSON inside texts may still have in the current conversion; `undefined` outside a
 * conversion.
 */
let valuesLeft: number | undefined

/**
 * Returns a function that runs the parts of one conversion. All JSON inside its texts, such as arguments of
 * tool calls, shares the value limit of one body.
 */
export function sharedTextLimit(): <Result>(work: () => Result) => Result {
  let left: number | undefined = callerLimits.valuesMax
  return (work) => {
    valuesLeft = left
    try {
      return work()
    } finally {
      left = valuesLeft
      valuesLeft = undefined
    }
  }
}

/**
 * Parses JSON from inside a text; `undefined` if it is not JSON. Beyond the limits it throws a problem during
 * a conversion; elsewhere, as when an upstream's response is read, such a text counts as not JSON.
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

/** Like {@link parseText}, but only for an object. */
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
