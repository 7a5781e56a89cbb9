import type { Frame } from '@tollgate/dialects/canonical/codec'
import type { Message } from '@tollgate/dialects/canonical/conversation'
import type { Ask } from '@tollgate/dialects/dialect'

/** How the texts of an operation's calls are read, where the operator keeps them. */
export interface TranscriptReader {
  /** The messages of a request. May throw for a request that the gateway cannot read. */
  messages(ask: TranscriptAsk): readonly Message[]
  /** The text of a whole response. */
  answer(bytes: Buffer): string
  /** Opens a reader of one stream. It returns the text of each frame; `before` is the text so far. */
  openStream(): (frame: Frame, before: string) => string
}

export type TranscriptAsk = Pick<Ask, 'body' | 'model' | 'isStream' | 'tree'>
