/**
 * Usage of one call in disjoint buckets: every token is counted in exactly one of them, whichever dialect
 * reported it. `undefined` means "not reported"; zero means zero. All counts are non-negative safe integers.
 */
export interface Usage {
  readonly inputText: number
  readonly cacheRead: number
  /** Tokens written to the upstream's prompt cache for five minutes, or for an unknown lifetime. */
  readonly cacheWrite5m: number
  readonly cacheWrite1h: number
  readonly inputImage: number
  readonly inputAudio: number
  /** Includes reasoning. */
  readonly outputText: number
  readonly outputAudio: number
  readonly outputImage: number
  /**
   * Number of images generated. They are charged per image if the price is per image, or if no tokens were
   * reported for them.
   */
  readonly images?: number
  /** Number of responses in a session; with a per-call price, each is charged as one call. */
  readonly turns?: number
  /** Seconds of video generated; with a per-call price, each is charged as one call. */
  readonly seconds?: number
  /** Part of `outputText`; only displayed and never charged in addition. */
  readonly reasoning?: number
  /**
   * Uses of paid tools. In an answer that was read: evidence by the names of `FeeRow.evidence`. In a settled call:
   * units by the names of fees, for example `{ web_search: 2 }`.
   */
  readonly toolCalls?: Readonly<Record<string, number>>
  /**
   * Service tier in which the response was served, if it is not the ordinary one: `priority`, `flex`, `fast`.
   */
  readonly serviceTier?: string
  /**
   * What further steps of the call used, beside the buckets above: the summary of a compacted conversation, the
   * advice of another model, or the share of a model that took over.
   */
  readonly parts?: readonly UsagePart[]
  /** What the report had instead of counts, if anything. */
  readonly lost?: LostCounts
  /** Paths of counts above zero that nobody knows. */
  readonly unknownCounts?: readonly string[]
  /** Parts of the report contradicted each other and were mended. */
  readonly isMended?: true
  /**
   * The part of `inputText` that is none if the reported input includes its cached part, although that is
   * larger. The gateway's own count decides which of the two holds.
   */
  readonly doubtfulInput?: number
  /** The upstream's own usage object, unchanged. */
  readonly raw?: unknown
}

/**
 * Totals that a report had in a form that is no count. The gateway's own count stands for them, but never less than
 * what the rest of the report says.
 */
export interface LostCounts {
  readonly input?: { readonly least: number }
  /** `hidden`: tokens in the buckets that the gateway's own count does not contain. */
  readonly output?: { readonly least: number; readonly hidden: number }
  /** A part of a total was no count; it is counted as the rest of the total. */
  readonly isPartLost?: true
}

/** Replaces what a report has lost by the gateway's own counts. `counted` is called only where that is needed. */
export function fillLostCounts(
  usage: Usage,
  counted: { readonly input: () => number; readonly output: () => number },
): Usage {
  const { lost, ...rest } = usage
  if (lost === undefined) return usage
  const { input, output } = lost
  const inputMissing = input && Math.max(counted.input(), input.least) - inputTokens(usage)
  const ownOutput = output && counted.output() + output.hidden
  const outputMissing = output && Math.max(ownOutput ?? 0, output.least) - outputTokens(usage)
  return {
    ...rest,
    inputText: usage.inputText + Math.max(0, inputMissing ?? 0),
    outputText: usage.outputText + Math.max(0, outputMissing ?? 0),
  }
}

/** One step of a call that has its own model or is not in the call's own counts. */
export interface UsagePart {
  /** The vendor's name of the step, such as `compaction`. */
  readonly kind: string
  /** The model as the vendor named it; absent where the step was served by the model of the answer. */
  readonly model?: string
  readonly usage: Usage
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

/** The token buckets of both together; with `sign` -1 the difference, where no bucket falls below zero. */
export function addUsage(left: Usage, right: Usage, sign: 1 | -1 = 1): Usage {
  const sum = (bucket: TokenBucket): number => Math.max(0, left[bucket] + sign * right[bucket])
  return {
    ...left,
    ...(left.lost === undefined && right.lost !== undefined && { lost: right.lost }),
    inputText: sum('inputText'),
    cacheRead: sum('cacheRead'),
    cacheWrite5m: sum('cacheWrite5m'),
    cacheWrite1h: sum('cacheWrite1h'),
    inputImage: sum('inputImage'),
    inputAudio: sum('inputAudio'),
    outputText: sum('outputText'),
    outputAudio: sum('outputAudio'),
    outputImage: sum('outputImage'),
  }
}

type TokenBucket = Exclude<
  keyof Usage,
  | 'images'
  | 'turns'
  | 'seconds'
  | 'reasoning'
  | 'toolCalls'
  | 'serviceTier'
  | 'parts'
  | 'isMended'
  | 'lost'
  | 'unknownCounts'
  | 'doubtfulInput'
  | 'raw'
>

/** All input tokens: `prompt_tokens` in the logs of new-api and its forks. */
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

/** All output tokens: `completion_tokens` in the logs of new-api and its forks. */
export function outputTokens(usage: Usage): number {
  return usage.outputText + usage.outputAudio + usage.outputImage
}
