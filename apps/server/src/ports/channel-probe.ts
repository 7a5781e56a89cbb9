import type { Language } from '@tollgate/problems/problem'

export interface ProbePort {
  /**
   * Sends one small request with each key of a channel, enabled or not. Never rejects because of an
   * upstream's error.
   */
  probe(input: { channelId: number; model?: string; language?: Language }): Promise<ProbeResult>
  /** Whether a test of the channel costs as much as a call, such as a picture. */
  isCostlyProbe(channelId: number): boolean
}

export interface ProbeResult {
  readonly ok: boolean
  /** Why the test failed; safe to show to an operator. */
  readonly message: string
  readonly durationMs: number
  /** Status of the upstream response on which the result is based; absent when there was none. */
  readonly status?: number
  readonly model?: string
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number }
  /** What the call would have cost in quota units, before the group's ratio. */
  readonly units?: bigint
  /** Every key that was tried, enabled ones first. */
  readonly keys: readonly KeyProbe[]
}

export interface KeyProbe {
  /** The key in clear. It is only used to compute its hash. */
  readonly key: string
  /** The key is out of the rotation, and was tried to see whether it works again. */
  readonly isDisabled: boolean
  readonly ok: boolean
  readonly message: string
  /** How strongly the response indicates that the key itself is at fault. */
  readonly evidence: 'none' | 'likely' | 'certain'
}
