import { bodyWithoutVendorCost } from '../cost/vendor-cost.ts'
import type { Finish, Reading, UpstreamError, UsageReader } from '../dialect.ts'
import type { TappedStream } from '../stream/body-or-stream.ts'
import { parseObject, textAt, type JsonObject } from '../json.ts'
import { badBody, errorOf, type ErrorInside } from '../errors/upstream-error.ts'
import type { LineVerdict } from '../stream/line-verdict.ts'
import { SseEditor } from '../stream/sse.ts'
import { TokenEstimate } from '../tokens/estimate.ts'
import type { Usage } from '../usage.ts'

export interface MediaStreamOptions {
  /** Number of images requested. Default 1. */
  readonly choices?: number
  readonly readUsage: UsageReader
  readonly errorInside?: ErrorInside
}

/** An image is sent as a single line of several megabytes. */
const BUFFERED_BYTES_MAX = 64 * 1024 * 1024
const DATA = Buffer.from('data: ')
const NO_BYTES = Buffer.alloc(0)
const STOP: Finish = { reason: 'stop', raw: 'stop' }

/**
 * Forwards streams of images and transcripts unchanged and reads them on the way:
 * `image_generation.partial_image`, `image_generation.completed`, `transcript.text.delta`,
 * `transcript.text.done` and similar events. https://platform.openai.com/docs/api-reference/images-streaming
 */
export class MediaStream implements TappedStream {
  readonly #options: MediaStreamOptions
  readonly #editor: SseEditor
  readonly #text = new TokenEstimate()
  #usage: Usage | undefined
  #error: UpstreamError | undefined
  #isComplete = false
  #images = 0
  isClosing = false
  frames = 0
  readonly hasEnded = false

  constructor(options: MediaStreamOptions) {
    this.#options = options
    this.#editor = new SseEditor({
      onData: (bytes, start, end, { isNamed }) => this.#judge(bytes.subarray(start, end), isNamed),
      bufferedBytesMax: BUFFERED_BYTES_MAX,
      pairsEventLines: true,
    })
  }

  get reading(): Reading {
    return {
      usage:
        this.#images === 0 || this.#usage === undefined
          ? this.#usage
          : { ...this.#usage, images: this.#images },
      finish: this.#isComplete ? STOP : undefined,
      outputTokensCounted: this.#text.tokens,
      hasOutput: this.frames > 0,
      isComplete: this.#isComplete,
      error: this.#error,
    }
  }

  push(chunk: Buffer): readonly Buffer[] {
    return this.#editor.push(chunk)
  }

  end(): readonly Buffer[] {
    const output = this.#editor.end()
    if (this.#error === undefined && this.frames === 0)
      this.#error = badBody(this.#editor.hasStrayLines ? 'bad_response_body' : 'empty_response')
    return output
  }

  /** These streams have no event for an interruption, so the stream just ends at a frame boundary. */
  cut(): readonly Buffer[] {
    return this.#editor.boundary()
  }

  /** Each image has an end of its own. */
  get #awaitsImages(): boolean {
    return this.#images > 0 && this.#images < (this.#options.choices ?? 1)
  }

  #judge(payload: Buffer, isNamed: boolean): LineVerdict {
    const data = payload.toString()
    if (data.trim() === '[DONE]') return this.#passed({ type: 'done' })
    const event = parseObject(data)
    if (event === undefined) return 'keep'
    this.#error = errorOf(event, this.#options.errorInside)
    if (this.#error !== undefined) return 'end'
    if (this.#isBeyondRequest(event)) return 'drop'
    const verdict = this.#passed(event)
    const own = bodyWithoutVendorCost(payload, event)
    if (own === payload) return verdict
    const name = isNamed ? Buffer.from(`event: ${textAt(event, 'type') ?? ''}\n`) : NO_BYTES
    return Buffer.concat([name, DATA, own])
  }

  /** An image that was not asked for is not paid, so it is not delivered either. */
  #isBeyondRequest(event: JsonObject): boolean {
    if (this.#images < (this.#options.choices ?? 1)) return false
    return /^image_\w+\.(?:partial_image|completed)$/.test(textAt(event, 'type') ?? '')
  }

  #passed(event: JsonObject): LineVerdict {
    this.frames++
    const type = textAt(event, 'type') ?? ''
    this.#text.addText(textAt(event, 'delta') ?? '')
    if (/^image_\w+\.completed$/.test(type)) this.#images++
    const isEnd = /(?:\.completed|\.done|^done)$/.test(type)
    this.#isComplete ||= isEnd
    this.isClosing ||= isEnd && (type === 'done' || !this.#awaitsImages)
    this.#usage = this.#options.readUsage(event) ?? this.#usage
    return 'keep'
  }
}
