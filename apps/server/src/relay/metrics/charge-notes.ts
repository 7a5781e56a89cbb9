import type { ChargeNoteKind } from '@tollgate/kit/codes'

/** Something unusual about the charge of a call. */
export interface NotedCharge {
  readonly kind: ChargeNoteKind
  readonly channelId: number
  readonly model: string
  /** Units that were charged; for `waived`, those that were not. */
  readonly units: bigint
  /** A model that served, or names of counts. */
  readonly detail: string
}

export interface ChargeNoteRow {
  readonly kind: ChargeNoteKind
  readonly channel_id: number
  readonly model: string
  detail: string
  calls: number
  quota: bigint
}

/** Callers choose the names of models, so there are few places. */
const NOTES_MAX = 500
const MODEL_CHARACTERS_MAX = 191
const DETAIL_CHARACTERS_MAX = 1_024
/** Names of unknown counts, and types of unknown tools, that are kept of a channel. */
const NAMES_MAX = 32

/** Counts unusual charges by kind, channel and model, until the figures are taken. */
export class ChargeNotes {
  #notes = new Map<string, ChargeNoteRow>()
  /** Names of unknown counts of each channel, since the start of the process. */
  readonly #names = new Map<number, Set<string>>()
  /** Types of unknown tools of each channel, since the start of the process. */
  readonly #tools = new Map<number, Set<string>>()

  note({ kind, channelId, model, units, detail }: NotedCharge): void {
    const name = model.slice(0, MODEL_CHARACTERS_MAX)
    const key = `${kind} ${channelId} ${name}`
    let row = this.#notes.get(key)
    if (row === undefined) {
      if (this.#notes.size >= NOTES_MAX) return
      row = { kind, channel_id: channelId, model: name, detail: '', calls: 0, quota: 0n }
      this.#notes.set(key, row)
    }
    row.calls++
    row.quota += units
    row.detail = detail.slice(0, DETAIL_CHARACTERS_MAX)
  }

  /** All names of unknown counts that this channel has reported, at most 32. */
  addNames(channelId: number, names: readonly string[]): readonly string[] {
    return addAll(this.#names, channelId, names)
  }

  /** All types of unknown tools that were requested of this channel, at most 32. */
  addTools(channelId: number, types: readonly string[]): readonly string[] {
    return addAll(this.#tools, channelId, types)
  }

  take(): readonly ChargeNoteRow[] {
    const taken = [...this.#notes.values()]
    this.#notes = new Map()
    return taken
  }
}

function addAll(
  namesByChannel: Map<number, Set<string>>,
  channelId: number,
  names: readonly string[],
): readonly string[] {
  const all = namesByChannel.get(channelId) ?? new Set()
  namesByChannel.set(channelId, all)
  for (const name of names) if (all.size < NAMES_MAX) all.add(name)
  return [...all]
}
