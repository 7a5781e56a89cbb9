import type { MappedChannel } from '@tollgate/importer/map-channel'
import type { Note, NoteCode } from '@tollgate/importer/note'
import { channelKeyHash } from '@tollgate/store/channels/keys'
import type { ChannelKeyTable } from '@tollgate/store/tables/operations'
import { Problem } from '@tollgate/problems/problem'
import { providers } from '@tollgate/providers/index'
import type { Provider } from '@tollgate/providers/provider'
import { previewLines, splitKeys } from '../../services/channel/keys.ts'

export interface ChannelKeys {
  /** One key per line, as it is encrypted; empty when no key can be used. */
  readonly text: string
  readonly preview: string
  /** Rows of the keys that are switched off. */
  readonly states: readonly KeyStateRow[]
  readonly notes: readonly Note[]
}

type KeyStateRow = Omit<ChannelKeyTable, 'id'>

const CONTROL = /\p{Cc}/u

/**
 * Splits the keys of a channel the way the source does at each call. Keys that look wrong are reported and
 * kept.
 */
export function readChannelKeys(channel: MappedChannel): ChannelKeys {
  const {
    row: { id, type },
    keys,
  } = channel
  const notes: Note[] = []
  const note = (code: NoteCode, detail: string): unknown =>
    notes.push({ table: 'channels', id, code, detail })
  const provider = providers.find((candidate) => candidate.type === type)
  if (!provider) note('channel-type-unknown', `type ${type}`)
  const lines = linesOf(keys).filter((key) => !CONTROL.test(key))
  if (lines.length === 0)
    note('channel-key-missing', keys === '' ? 'it has none' : 'no header could carry it')
  const unusual = lines.filter((key) => !isAccepted(key, provider))
  if (unusual.length > 0) note('channel-key-unusual', `${unusual.length} of ${lines.length} keys`)
  const states = readStates(channel, new Set(lines))
  if (states.length > 0) note('channel-keys-off', `${states.length} of ${lines.length} keys`)
  const text = lines.join('\n')
  return { text, preview: text === '' ? '' : previewLines(lines), states, notes }
}

/**
 * A key that stands in the list twice, once switched off, is off: whoever switched it off had a reason. What one
 * entry of the source holds may be several keys here.
 */
function readStates(
  { row: { id }, keyStates }: MappedChannel,
  lines: ReadonlySet<string>,
): readonly KeyStateRow[] {
  const rows = new Map<string, KeyStateRow>()
  for (const { key, status, reason, statusMs } of keyStates)
    for (const line of linesOf(key)) {
      if (!lines.has(line)) continue
      const hash = channelKeyHash(id, line)
      const row = { channel_id: id, key_hash: hash, status, reason, status_ms: statusMs }
      rows.set(hash, { ...row, uses: 0, last_used_ms: 0 })
    }
  return [...rows.values()]
}

function isAccepted(key: string, provider: Provider | undefined): boolean {
  const isWhole = accepted(() => {
    splitKeys(key)
    provider?.credentials.check(key)
    return true
  })
  return isWhole === true
}

/** Incomplete JSON is kept as it is: the operator may know what is missing. */
function linesOf(keys: string): readonly string[] {
  const lines = accepted(() => splitKeys(keys))
  return lines ?? [keys.replaceAll(/\s+/g, ' ')]
}

/** The parser reports a malformed key by throwing a `Problem`; this turns it into `undefined`. */
function accepted<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}
