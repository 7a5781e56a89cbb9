/**
 * What a call used, in disjoint buckets: every token is counted in exactly one of them, whichever dialect reported it.
 * `undefined` means "not told"; zero means zero. All counts are non-negative safe integers.
 */
export interface Usage {
  readonly inputText: number
  readonly cacheRead: number
  /** Tokens written to the upstream's prompt cache for five minutes (or of unknown lifetime). */
  readonly cacheWrite5m: number
  readonly cacheWrite1h: number
  readonly inputImage: number
  readonly inputAudio: number
  /** Includes reasoning. */
  readonly outputText: number
  readonly outputAudio: number
  readonly outputImage: number
  /** Pictures made. They are paid by the piece where the price is, or where no tokens are told for them. */
  readonly images?: number
  /** Responses of a session: each costs what a call costs, where calls have a price. */
  readonly turns?: number
  /** Seconds of video made: each costs what a call costs, where calls have a price. */
  readonly seconds?: number
  /** Part of `outputText`, shown but never charged twice. */
  readonly reasoning?: number
  /** Built-in tool calls by name, for example `{ web_search: 2 }`. */
  readonly toolCalls?: Readonly<Record<string, number>>
  /** The service tier the answer was made in, where it is not the ordinary one: `priority`, `flex`, `fast`. */
  readonly serviceTier?: string
  /** The upstream's own usage object, kept as it came. */
  readonly raw?: unknown
}

export const noUsage: Usage = {
  inputText: 0,
  cacheRead: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  inputImage: 0,
  inputAudio: 0,
  outputText: 0,
  outputAudio: 0,
  outputImage: 0,
}

/** All input tokens: what the family's logs call `prompt_tokens`. */
export function inputTokens(usage: Usage): number {
  return (
    usage.inputText +
    usage.cacheRead +
    usage.cacheWrite5m +
    usage.cacheWrite1h +
    usage.inputImage +
    usage.inputAudio
  )
}

/** All output tokens: what the family's logs call `completion_tokens`. */
export function outputTokens(usage: Usage): number {
  return usage.outputText + usage.outputAudio + usage.outputImage
}
