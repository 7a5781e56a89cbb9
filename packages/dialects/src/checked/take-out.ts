import { problem } from '@tollgate/problems/problem'
import { isStatefulName } from '../canonical/state-members.ts'
import { isSpace, scanObject, type Member } from '../json-scan.ts'
import type { JudgedNames, MemberFindings, NameFinding } from './findings.ts'

/** What happens to members that no row of the catalogue knows. */
export type UnknownMembers = 'pass' | 'take-out' | 'refuse'

export interface MemberPolicy {
  readonly unknown: UnknownMembers
  /** Paths of unknown members that the operator found harmless. */
  readonly harmless: ReadonlySet<string>
}

/** For reading where nothing of the body is sent anywhere. */
export const lenientPolicy: MemberPolicy = { unknown: 'pass', harmless: new Set() }

export interface TakenBody {
  readonly bytes: Buffer
  readonly members: readonly Member[]
  readonly names: JudgedNames
}

interface ScannedBody {
  readonly bytes: Buffer
  readonly members: readonly Member[]
  readonly findings: MemberFindings
}

/**
 * Takes out of a body what may not reach an upstream, in its bytes; all other bytes stay as they came. Throws
 * a problem for an unknown member where those are refused.
 */
export function takeOut({ bytes, members, findings }: ScannedBody, policy: MemberPolicy): TakenBody {
  if (policy.unknown === 'take-out') refuseState(findings.names, { bytes, policy })
  const { taken, unknown } = judgeNames(findings.names, policy)
  const names = {
    taken: taken.map(({ param }) => param),
    unknown: unknown.map(({ param }) => param),
    naming: findings.naming,
  }
  if (taken.length === 0) return { bytes, members, names }
  const cut = cutRanges(
    bytes,
    taken.flatMap(({ ranges }) => ranges),
  )
  return { bytes: cut, members: scanObject(cut).members, names }
}

/** A model would answer as if nothing had been said before, so what sounds like state is never taken out. */
function refuseState(
  names: readonly NameFinding[],
  { bytes, policy }: { readonly bytes: Buffer; readonly policy: MemberPolicy },
): void {
  const state = names.find(
    ({ kind, param, ranges: [start = 0, end = 0] }) =>
      kind === 'unknown' &&
      !policy.harmless.has(param) &&
      isStatefulName(param.slice(param.lastIndexOf('.') + 1)) &&
      !UNSET.test(bytes.toString('latin1', start, Math.min(end, start + NAME_CHARACTERS_MAX))),
  )
  if (state !== undefined) throw problem('member_unknown', { param: shownParam(state) })
}

/** A member with a value that asks for nothing. */
const UNSET = /^"[^"]*"\s*:\s*(?:null|false|""|\[\s*\])\s*$/
const NAME_CHARACTERS_MAX = 256

interface SortedNames<Name> {
  readonly taken: readonly Name[]
  readonly unknown: readonly Name[]
}

/** Decides which of the names are taken out. */
export function judgeNames<Name extends Pick<NameFinding, 'kind' | 'param'>>(
  names: readonly Name[],
  { unknown: rule, harmless }: MemberPolicy,
): SortedNames<Name> {
  const unknown = names.filter(({ kind, param }) => kind === 'unknown' && !harmless.has(param))
  const [first] = unknown
  if (first !== undefined && rule === 'refuse') throw problem('member_unknown', { param: shownParam(first) })
  const taken = names.filter(
    ({ kind, param }) => kind !== 'unknown' || (rule === 'take-out' && !harmless.has(param)),
  )
  return { taken, unknown }
}

const PARAM_CHARACTERS_MAX = 64

function shownParam({ param }: Pick<NameFinding, 'param'>): string {
  return param.slice(0, PARAM_CHARACTERS_MAX).replaceAll(/[^\x20-\x7e]/g, '?')
}

const COMMA = 0x2c

/**
 * Removes members, given as pairs of their first position and the position of the comma or bracket after them,
 * with the commas that they leave behind.
 */
function cutRanges(bytes: Buffer, pairs: readonly number[]): Buffer {
  const ranges = Array.from({ length: pairs.length / 2 }, (_, index) => [
    pairs[index * 2] ?? 0,
    pairs[index * 2 + 1] ?? 0,
  ]).toSorted(([left = 0], [right = 0]) => left - right)
  const pieces: Buffer[] = []
  let at = 0
  for (const [start = 0, end = 0] of ranges) {
    // Inside a member that was taken out with everything in it.
    if (start < at) continue
    pieces.push(bytes.subarray(at, start))
    const isBeforeComma = bytes[end] === COMMA
    if (!isBeforeComma) dropLastComma(pieces)
    at = isBeforeComma ? end + 1 : end
  }
  pieces.push(bytes.subarray(at))
  return Buffer.concat(pieces)
}

/** Removes the comma at the end of the pieces, where the member after it was the last of its object. */
function dropLastComma(pieces: Buffer[]): void {
  for (let index = pieces.length - 1; index >= 0; index--) {
    const piece = pieces[index] ?? Buffer.alloc(0)
    let end = piece.length
    while (end > 0 && isSpace(piece[end - 1])) end--
    if (end === 0) continue
    if (piece[end - 1] === COMMA) pieces[index] = piece.subarray(0, end - 1)
    return
  }
}
