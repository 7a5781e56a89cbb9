import type { IncomingMessage } from 'node:http'

/**
 * Share of calls in thousandths that end in each fault, drawn by `seed`. A model name `fault-<name>` or the request's
 * `metadata.fault` forces one; `metadata.tokens` and `metadata.delay_ms` shape the answer.
 */
export interface FaultMix {
  readonly seed: number
  readonly perMille: Partial<Record<Fault, number>>
}

export type Fault =
  | 'status-400'
  | 'status-401'
  | 'status-429'
  | 'status-500'
  | 'status-503'
  | 'html'
  | 'garbage'
  | 'empty'
  | 'hang'
  | 'reset-before-head'
  | 'reset-after-head'
  | 'half-frame'
  | 'error-inside'
  | 'error-mid-stream'
  | 'usage-missing'
  | 'usage-insane'
  | 'usage-early'
  | 'slow'

export interface BookEntry {
  /** The request's `user` field, else its number. */
  readonly tag: string
  readonly operation: string
  readonly model: string
  readonly isStream: boolean
  readonly fault: Fault | undefined
  readonly status: number
  readonly promptTokens: number
  /** Content tokens written so far. */
  readonly deliveredTokens: number
  readonly framesSent: number
  /** The whole answer was handed to the socket. */
  readonly isComplete: boolean
  /** The other side hung up before that. */
  readonly isCutByPeer: boolean
  /** With `keepsRequests`. */
  readonly request?: KeptRequest
}

export interface KeptRequest {
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** The same entry while its call is being answered. */
export type OpenEntry = { -readonly [Key in keyof BookEntry]: BookEntry[Key] }

export interface OpenedCall {
  readonly entry: OpenEntry
  readonly body: Readonly<Record<string, unknown>>
  /** Content tokens of one answer. */
  readonly tokens: number
  /** Answers asked for by `n`. */
  readonly choices: number
  /** `length` when the caller's limit was lower than what there was to say. */
  readonly finish: 'stop' | 'length'
  readonly delayMs: number
}
