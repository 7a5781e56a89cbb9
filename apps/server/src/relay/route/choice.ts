import type { RosterChannel } from '../../books/books.ts'

/** Where an attempt goes: a channel, and one of its keys. */
export interface Choice {
  readonly channel: RosterChannel
  readonly keyIndex: number
}
