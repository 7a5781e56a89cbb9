import type { IncomingMessage } from 'node:http'

/**
 * Share of calls, in thousandths, that end in each fault, drawn with `seed`. A model name `fault-<name>` or
 * the request's `metadata.fault` forces a fault; `metadata.tokens` and `metadata.delay_ms` set the length and
 * the delay of the response.
 */
export interface FaultMix {
  readonly seed: number
  readonly perMille: Partial<Record<RecordFault, number>>
}

export type RecordFault =
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

export interface CallRecord {
  /** The request's `user` field, or the number of the request. */
  readonly tag: string
  readonly operation: string
  readonly model: string
  readonly isStream: boolean
  readonly fault: RecordFault | undefined
  readonly status: number
  readonly promptTokens: number
  /** Number of content tokens written so far. */
  readonly deliveredTokens: number
  readonly framesSent: number
  /** The whole response was handed to the socket. */
  readonly isComplete: boolean
  /** The client closed the connection before that. */
  readonly isCutByPeer: boolean
  /** Only with `keepsRequests`. */
  readonly request?: KeptRequest
}

export interface KeptRequest {
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** An entry that can still be changed while its call is being answered. */
export type OpenEntry = { -readonly [Key in keyof CallRecord]: CallRecord[Key] }

export interface OpenedCall {
  readonly entry: OpenEntry
  readonly body: Readonly<Record<string, unknown>>
  /** Content tokens per choice. */
  readonly tokens: number
  /** Number of choices requested with `n`. */
  readonly choices: number
  /** `length` when the caller's limit was lower than the scripted number of tokens. */
  readonly finish: 'stop' | 'length'
  readonly delayMs: number
}
