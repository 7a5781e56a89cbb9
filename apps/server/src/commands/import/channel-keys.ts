import type { MappedChannel } from '@tollgate/importer/map-channel'
import type { Note, NoteCode } from '@tollgate/importer/note'
import { Problem } from '@tollgate/kit/problem'
import { providers } from '@tollgate/providers/index'
import { previewKeys, splitKeys } from '../../services/channel/keys.ts'

export interface ChannelKeys {
  /** One key a line, as it is sealed; empty when none can be used. */
  readonly text: string
  readonly preview: string
  readonly notes: readonly Note[]
}

/** Its key is a JSON document, full of commas. */
const VERTEX = 41
const CONTROL = /\p{Cc}/u

/** The keys of a channel, taken apart as the source does at each call; what looks wrong is told and kept. */
export function readChannelKeys({ row: { id, type }, keys }: MappedChannel): ChannelKeys {
  const notes: Note[] = []
  const note = (code: NoteCode, detail: string): unknown =>
    notes.push({ table: 'channels', id, code, detail })
  const provider = providers.find((candidate) => candidate.type === type)
  if (!provider) note('channel-type-unknown', `type ${type}`)
  const lines = linesOf(type, keys).filter((key) => !CONTROL.test(key))
  if (lines.length === 0)
    note('channel-key-missing', keys === '' ? 'it has none' : 'no header could carry it')
  const unusual = lines.filter((key) => provider && !isAccepted(() => provider.credentials.check(key)))
  if (unusual.length > 0) note('channel-key-unusual', `${unusual.length} of ${lines.length} keys`)
  const text = lines.join('\n')
  return { text, preview: text === '' ? '' : previewKeys(text), notes }
}

function linesOf(type: number, keys: string): readonly string[] {
  if (type === VERTEX) return documentLines(keys)
  return isJsonObject(keys) || !keys.startsWith('{') ? splitKeys(keys) : keys.split(',')
}

/** One service account, or a list of them as relatives of the reference system keep several. */
function documentLines(keys: string): readonly string[] {
  const value = parse(keys)
  if (Array.isArray(value)) return value.map((one: unknown) => JSON.stringify(one))
  if (isObject(value)) return [JSON.stringify(value)]
  return keys === '' ? [] : [keys.replaceAll(/\s+/g, ' ')]
}

function isJsonObject(text: string): boolean {
  return isObject(parse(text))
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Most keys are no JSON at all.
    return undefined
  }
}

/** A provider says what its keys look like by throwing a problem. */
function isAccepted(check: () => void): boolean {
  try {
    check()
    return true
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}
