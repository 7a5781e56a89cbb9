import { problem, type Problem } from '@tollgate/problems/problem'
import { callerLimits, checkedScan } from '../json-limits.ts'
import { type JsonObject, escapedCharacter } from '../json.ts'
import { foldName } from '@tollgate/kit/fold-name'
import type { Form } from '../media/form.ts'
import type { CheckedMember, CheckedShape } from './shape.ts'
import type { SuspectMember } from './walk.ts'

/** Throws the problem for an odd member found by a scan. */
export function rejectSuspect(odd: SuspectMember | undefined, within = ''): void {
  if (odd !== undefined) throw oddProblem(odd, within)
}

const WRITTEN_CHARACTERS_MAX = 64

function oddProblem({ type, param, written }: SuspectMember, within: string): Problem {
  const path = within === '' ? param : `${within}.${param}`
  if (type === 'repeated') return problem('member_repeated', { param: path })
  if (type === 'unreadable') return problem('member_invalid', { param: path })
  // Shows invisible characters as escapes; otherwise the message would ask to replace a name by the same
  // name.
  const shown = JSON.stringify(written.slice(0, WRITTEN_CHARACTERS_MAX)).replaceAll(
    /[^\x20-\x7e]/g,
    escapedCharacter,
  )
  return problem('member_misspelled', { param: path, written: shown })
}

/** Throws the problem for the first odd member inside such a string. */
export function rejectSuspectTexts(body: JsonObject, shape: CheckedShape): void {
  for (const member of shape.textMembers) refuseOddIn(body[member.name], member)
}

function refuseOddIn(text: unknown, { name, inside }: CheckedMember): void {
  if (inside === undefined || typeof text !== 'string' || !/^\s*\{/.test(text)) return
  rejectSuspect(checkedScan(Buffer.from(text), callerLimits, inside).odd, name)
}

/**
 * The same check for a form. Rejects fields in another spelling or with an index (`N`, `n[]`,
 * `max_images[0]`), judged fields that occur twice or as a file, and odd members inside fields that contain
 * JSON. Images may occur several times.
 */
export function rejectSuspectForm({ parts }: Form, body: JsonObject, shape: CheckedShape): void {
  for (const { name, fileName } of parts) {
    const [bare = ''] = name.split('[', 1)
    const member = shape.exactly(name) ?? shape.folded(foldName(bare))
    if (member === undefined) continue
    if (!member.spellings.includes(name))
      throw oddProblem({ type: 'misspelled', param: member.name, written: name }, '')
    if (FILES.has(member.name)) continue
    if (fileName !== undefined) throw problem('member_invalid', { param: name })
    if (Array.isArray(body[name])) throw problem('member_repeated', { param: name })
  }
  for (const member of shape.members) for (const name of member.spellings) refuseOddIn(body[name], member)
}

/** Fields that may occur several times, and as files. */
const FILES: ReadonlySet<string> = new Set([
  'file',
  'image',
  'images',
  'mask',
  'image_tail',
  'input_reference',
])
