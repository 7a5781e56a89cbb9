import { problem, type Problem } from '@tollgate/problems/problem'
import { callerLimits, checkedScan } from '../json-limits.ts'
import { type JsonObject, escapedCharacter } from '../json.ts'
import { isChoosingName } from '@tollgate/catalogue/members/choosing-name'
import { foldName } from '@tollgate/kit/fold-name'
import type { Form } from '../media/form.ts'
import type { NameFinding } from './findings.ts'
import type { CheckedMember, CheckedShape } from './shape.ts'
import { judgeNames, type MemberPolicy } from './take-out.ts'
import type { JudgedNames } from './findings.ts'
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
  const { odd, findings } = checkedScan(Buffer.from(text), callerLimits, inside)
  rejectSuspect(odd, name)
  // Nothing is taken out of a text, so a member that may not pass refuses it.
  const choosing = findings?.names.find(({ kind }) => kind !== 'unknown')
  if (choosing !== undefined) throw problem('member_invalid', { param: `${name}.${choosing.param}` })
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
    if (member?.isStrict !== true) continue
    if (!member.spellings.includes(name))
      throw oddProblem({ type: 'misspelled', param: member.name, written: name }, '')
    if (FILES.has(member.name)) continue
    if (fileName !== undefined) throw problem('member_invalid', { param: name })
    if (Array.isArray(body[name])) throw problem('member_repeated', { param: name })
  }
  for (const member of shape.members) for (const name of member.spellings) refuseOddIn(body[name], member)
}

/**
 * The form without the fields that may not reach an upstream. Throws a problem for an unknown field where those
 * are refused.
 */
export function keepFields(
  form: Form,
  shape: CheckedShape,
  policy: MemberPolicy,
): { readonly form: Form; readonly names: JudgedNames | undefined } {
  const fields = new Map<string, Pick<NameFinding, 'kind' | 'param'>>()
  for (const { name } of form.parts) {
    const kind = readField(name, shape)
    if (kind !== undefined) fields.set(name, { kind, param: name })
  }
  if (fields.size === 0) return { form, names: undefined }
  const { taken, unknown } = judgeNames([...fields.values()], policy)
  const out = new Set(taken.map(({ param }) => param))
  return {
    form: { ...form, parts: form.parts.filter(({ name }) => !out.has(name)) },
    names: { taken: [...out], unknown: unknown.map(({ param }) => param), naming: [] },
  }
}

/** A field may have an index or a path in brackets: `models[0]`, `metadata[key]`. */
function readField(name: string, shape: CheckedShape): NameFinding['kind'] | undefined {
  const [bare = '', inner] = name.split('[', 2)
  const member = shape.exactly(name) ?? shape.folded(foldName(bare))
  if (member?.effect === 'routes' || member?.effect === 'names') return 'routes'
  if (isChoosingName(bare)) return member === undefined ? 'chooses' : undefined
  if (member !== undefined) {
    const within = inner?.replace(']', '') ?? ''
    const isOwnContent = member.effect === 'plain' && member.inside === undefined
    return !isOwnContent && isChoosingName(within) ? 'chooses' : undefined
  }
  return 'unknown'
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
