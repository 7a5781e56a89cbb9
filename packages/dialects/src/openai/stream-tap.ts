import type { Finish, Reading, UpstreamError, UsageReader } from '../dialect.ts'
import { BodyOrStreamTap, type TappedStream, type WholeBody } from '../stream/body-or-stream.ts'
import type { StreamTap } from '../stream/stream-tap.ts'
import { isRecord, parseObject, recordsAt, type JsonObject } from '../json.ts'
import type { LineVerdict } from '../stream/line-verdict.ts'
import { SseEditor } from '../stream/sse.ts'
import { bodyWithoutVendorCost } from '../cost/vendor-cost.ts'
import { describePaidUses } from '../paid-answer.ts'
import type { Usage } from '../usage.ts'
import { DONE } from './chunks.ts'
import { HAS_CHOICES, HAS_ERROR, HAS_FINISH, HAS_RESULTS, HAS_USAGE } from '../stream/delta-members.ts'
import { DeltaScan } from '../stream/delta-scan.ts'
import { readFinish } from './finish.ts'
import { readAnswer, type ChatAnswer } from './answer.ts'
import { replayAsStream } from './replay.ts'
import { OversizedChunkReader } from './oversized-chunk.ts'
import { GatewayChunks } from './gateway-chunks.ts'
import { transformOf, type Transform, type TransformOptions } from './transform.ts'
import { badBody, errorInside, insideError, type ErrorInside } from '../errors/upstream-error.ts'

export interface StreamTapOptions extends TransformOptions {
  readonly operation: 'chat' | 'completions'
  readonly readUsage: UsageReader
  /**
   * Whether usage chunks are forwarded to the caller. If so and the upstream reports no usage, a chunk is
   * created from local counts.
   */
  readonly forwardsUsage: boolean
  /** Input tokens for a usage chunk created here. */
  readonly inputTokensCounted: number
  /** Number of choices requested; the upstream may send fewer. Default 1. */
  readonly choices?: number
  readonly errorInside?: ErrorInside
  /**
   * Maximum bytes of an unfinished line that are buffered; a longer line passes in pieces and is counted on
   * the way. Default 256 KiB.
   */
  readonly bufferedBytesMax?: number
}

const BUFFERED_BYTES_MAX = 256 * 1024

export function openStreamTap(options: StreamTapOptions): StreamTap {
  return new BodyOrStreamTap(new OpenAiStream(options))
}

class OpenAiStream implements TappedStream {
  readonly #options: StreamTapOptions
  readonly #transform: Transform | undefined
  readonly #scan = new DeltaScan()
  readonly #editor: SseEditor
  readonly #finished = new Set<unknown>()
  /**
   * Indexes of choices that have begun. Only tracked if several choices were requested, because that requires
   * parsing every frame.
   */
  readonly #begun = new Set<unknown>()
  readonly #own: GatewayChunks
  readonly body: WholeBody
  /** Whether bytes have come; leading white space is insignificant. */
  #hasBegun = false
  hasEnded = false
  isClosing = false
  #longLine: OversizedChunkReader | undefined
  frames = 0
  #hasGarbage = false
  #usage: Usage | undefined
  #hasResults = false
  #finish: Finish | undefined
  #error: UpstreamError | undefined
  #isComplete = false

  constructor(options: StreamTapOptions) {
    this.#options = options
    const bufferedBytesMax = options.bufferedBytesMax ?? BUFFERED_BYTES_MAX
    this.body = { bytesMax: bufferedBytesMax, read: (bytes) => readAsStream(bytes, options) }
    this.#transform = transformOf(options)
    this.#own = new GatewayChunks(options.operation)
    this.#editor = new SseEditor({
      onData: (bytes, start, end, { isCutOff }) => this.#judge(bytes.subarray(start, end), isCutOff),
      onLongLine: (bytes, start, end) => this.#passLong(bytes, start, end),
      onLongLineEnd: () => this.#endLong(),
      bufferedBytesMax,
    })
  }

  get reading(): Reading {
    return {
      replyId: this.#own.replyId,
      model: this.#own.model,
      usage: this.#usage,
      paidUses: describePaidUses(this.#hasResults, this.#scan.vendorFunctions),
      finish: this.#finish,
      outputTokensCounted: this.#scan.outputTokens,
      hasOutput: this.#scan.hasOutput,
      isComplete: this.#isComplete,
      error: this.#error,
    }
  }

  push(chunk: Buffer): readonly Buffer[] {
    if (this.#hasBegun) return this.#editor.push(chunk)
    this.#hasBegun = true
    const start = firstVisible(chunk)
    return this.#editor.push(start === 0 ? chunk : chunk.subarray(start))
  }

  end(): readonly Buffer[] {
    const output = this.#editor.end()
    if (this.#error === undefined && this.frames === 0) this.#error = this.#emptyError()
    if (!this.hasEnded && this.#error === undefined && this.#isFinished()) {
      output.push(...this.#ownUsage(), DONE)
      this.#isComplete = true
    }
    return output
  }

  endEvent(): readonly Buffer[] | undefined {
    return this.#editor.endEvent()
  }

  cut(): readonly Buffer[] {
    const output = this.#editor.boundary()
    for (let index = 0; index < this.#choices; index++) {
      if (!this.#finished.has(index)) output.push(this.#own.finish(index, 'length'))
    }
    output.push(...this.#ownUsage(), DONE)
    this.#finish = readFinish('length')
    return output
  }

  #judge(payload: Buffer, isCutOff: boolean): LineVerdict {
    if (this.hasEnded) return 'drop'
    if (isDone(payload)) return this.#judgeDone()
    if (payload[0] !== OPEN_BRACE || (isCutOff && parseObject(payload) === undefined))
      return this.#dropGarbage()
    return this.#transform === undefined
      ? this.#judgeAsItIs(payload)
      : this.#judgeChanged(payload, this.#transform)
  }

  /** Fast path: most frames are only scanned and forwarded unparsed. */
  #judgeAsItIs(payload: Buffer): LineVerdict {
    const flags = this.#scan.scan(payload, 0, payload.length)
    this.#noteResults(flags)
    if ((flags & HAS_CHOICES) !== 0 && (flags & CLOSER_LOOK) === 0 && this.#choices === 1)
      return this.#keep(payload)
    const chunk = parseObject(payload)
    if (chunk === undefined) return this.#dropGarbage()
    const verdict = this.#judgeChunk(chunk, flags)
    if (verdict !== 'keep') return verdict
    this.#keep(payload)
    const own = bodyWithoutVendorCost(payload, chunk)
    return own === payload ? 'keep' : Buffer.concat([DATA, own])
  }

  /**
   * Slow path for channels that modify chunks: the chunk is parsed and, if it was changed, serialised again.
   */
  #judgeChanged(payload: Buffer, transform: Transform): LineVerdict {
    const chunk = parseObject(payload)
    if (chunk === undefined) return this.#dropGarbage()
    const hasChoices = Array.isArray(chunk['choices']) ? HAS_CHOICES : 0
    const verdict = this.#judgeChunk(chunk, CLOSER_LOOK | hasChoices)
    if (verdict !== 'keep') return verdict
    const changed = transform(chunk, payload)
    const written = changed === chunk ? payload : Buffer.from(JSON.stringify(changed))
    const text = bodyWithoutVendorCost(written, changed)
    this.#noteResults(this.#scan.scan(text, 0, text.length))
    this.#keep(text)
    return text === payload ? 'keep' : Buffer.concat([DATA, text])
  }

  #dropGarbage(): LineVerdict {
    this.#hasGarbage = true
    return 'drop'
  }

  #emptyError(): UpstreamError {
    return badBody(this.#hasGarbage || this.#editor.hasStrayLines ? 'bad_response_body' : 'empty_response')
  }

  #keep(payload: Buffer): LineVerdict {
    this.frames++
    this.#own.note(payload)
    return 'keep'
  }

  #judgeDone(): LineVerdict {
    this.hasEnded = true
    this.isClosing = true
    if (this.frames === 0) return 'drop'
    this.#isComplete = true
    const own = this.#ownUsage()
    return own.length === 0 ? 'keep' : Buffer.concat([...own, DONE_LINE])
  }

  #judgeChunk(chunk: Record<string, unknown>, flags: number): LineVerdict {
    this.#error = this.#errorIn(chunk, flags)
    if (this.#error !== undefined) return 'end'
    if ((flags & HAS_USAGE) !== 0) this.#usage = this.#options.readUsage(chunk) ?? this.#usage
    this.#noteChoices(chunk)
    if ((flags & HAS_USAGE) === 0 || !isUsageOnly(chunk)) return 'keep'
    // Interim usage comes with a choice.
    this.isClosing = true
    return this.#options.forwardsUsage ? 'keep' : 'drop'
  }

  #errorIn(chunk: JsonObject, flags: number): UpstreamError | undefined {
    const inside = (flags & HAS_ERROR) === 0 ? undefined : errorInside(chunk)
    if (inside !== undefined || (flags & HAS_CHOICES) !== 0) return inside
    const words = this.#options.errorInside?.(chunk)
    return words === undefined ? undefined : insideError(words)
  }

  /**
   * A line too long to buffer is forwarded before it can be judged, so it counts as output whatever it
   * contains.
   */
  #passLong(bytes: Buffer, start: number, end: number): void {
    if (this.#longLine === undefined) {
      this.frames++
      this.#scan.noteData()
      this.#own.note(bytes.subarray(start, end))
      this.#longLine = new OversizedChunkReader(this.#scan)
    }
    this.#longLine.push(bytes, start, end)
  }

  #endLong(): void {
    const chunk = { ...this.#longLine?.end() }
    this.#longLine = undefined
    this.#usage = this.#options.readUsage(chunk) ?? this.#usage
    this.#noteChoices(chunk)
  }

  #noteChoices(chunk: JsonObject): void {
    for (const choice of recordsAt(chunk, 'choices')) {
      this.#begun.add(choice['index'] ?? 0)
      const finish = readFinish(choice['finish_reason'])
      if (finish === undefined) continue
      this.#finish = finish
      this.#finished.add(choice['index'] ?? 0)
    }
    this.isClosing ||= this.#finished.size >= this.#choices
  }

  #noteResults(flags: number): void {
    if ((flags & HAS_RESULTS) !== 0) this.#hasResults = true
  }

  get #choices(): number {
    return this.#options.choices ?? 1
  }

  /** An upstream may send fewer choices than requested, and some omit the end marker. */
  #isFinished(): boolean {
    return this.#finished.size > 0 && [...this.#begun].every((index) => this.#finished.has(index))
  }

  /** Creates a usage chunk if the caller requested usage and the upstream reported none. */
  #ownUsage(): Buffer[] {
    if (!this.#options.forwardsUsage || this.#usage !== undefined) return []
    const counts = { input: this.#options.inputTokensCounted, output: this.#scan.outputTokens }
    return [this.#own.usage(counts)]
  }
}

const OPEN_BRACE = 0x7b
const DATA = Buffer.from('data: ')
const DONE_LINE = Buffer.from('data: [DONE]')
const CLOSER_LOOK = HAS_USAGE | HAS_ERROR | HAS_FINISH

function readAsStream(body: Buffer, options: StreamTapOptions): ChatAnswer {
  const { bytes, reading } = readAnswer({ ...options, bytes: body })
  return { bytes: reading.error === undefined ? replayAsStream(bytes, options) : bytes, reading }
}

function firstVisible(chunk: Buffer): number {
  let at = 0
  while (at < chunk.length && (chunk[at] ?? 0) <= 0x20) at++
  return at
}

function isDone(payload: Buffer): boolean {
  return payload[0] === 0x5b && payload.length < 16 && payload.toString('latin1').trim() === '[DONE]'
}

/** Whether a chunk contains nothing but usage. */
function isUsageOnly(chunk: JsonObject): boolean {
  const choices = chunk['choices']
  if (!isRecord(chunk['usage'])) return false
  return choices === undefined || choices === null || (Array.isArray(choices) && choices.length === 0)
}
