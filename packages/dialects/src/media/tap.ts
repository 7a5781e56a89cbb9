import type { Finish, Reading, UpstreamError, UsageReader } from '../dialect.ts'
import type { StreamTap } from '../stream/stream-tap.ts'
import { parseObject, textAt, type JsonObject } from '../json.ts'
import { badBody, errorInside, insideError } from '../errors/upstream-error.ts'
import { SseEditor, type LineVerdict } from '../stream/sse.ts'
import { TokenEstimate } from '../tokens/estimate.ts'
import type { Usage } from '../usage.ts'

export interface MediaTapOptions {
  readonly readUsage: UsageReader
  readonly errorInside?: (event: Readonly<Record<string, unknown>>) => string | undefined
}

/** An image is sent as a single line of several megabytes. */
const BUFFERED_BYTES_MAX = 64 * 1024 * 1024
const STOP: Finish = { reason: 'stop', raw: 'stop' }

/**
 * Forwards streams of images and transcripts unchanged and reads them on the way:
 * `image_generation.partial_image`, `image_generation.completed`, `transcript.text.delta`,
 * `transcript.text.done` and similar events. https://platform.openai.com/docs/api-reference/images-streaming
 */
export class MediaTap implements StreamTap {
  readonly #options: MediaTapOptions
  readonly #editor: SseEditor
  readonly #text = new TokenEstimate()
  #usage: Usage | undefined
  #error: UpstreamError | undefined
  #isComplete = false
  #isClosed = false
  #images = 0
  frames = 0

  constructor(options: MediaTapOptions) {
    this.#options = options
    this.#editor = new SseEditor({
      onData: (bytes, start, end) => this.#judge(bytes.toString('utf8', start, end)),
      bufferedBytesMax: BUFFERED_BYTES_MAX,
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
    return this.#isClosed ? [] : this.#editor.push(chunk)
  }

  end(): readonly Buffer[] {
    if (this.#isClosed) return []
    this.#isClosed = true
    const output = this.#editor.end()
    if (this.#error === undefined && this.frames === 0)
      this.#error = badBody(this.#editor.hasStrayLines ? 'bad_response_body' : 'empty_response')
    return output
  }

  /** These streams have no event for an interruption, so the stream just ends at a frame boundary. */
  cut(): readonly Buffer[] {
    this.#isClosed = true
    return this.#editor.boundary()
  }

  #judge(data: string): LineVerdict {
    if (data.trim() === '[DONE]') return this.#passed({ type: 'done' })
    const event = parseObject(data)
    if (event === undefined) return 'keep'
    this.#error = this.#errorIn(event)
    return this.#error === undefined ? this.#passed(event) : 'end'
  }

  #errorIn(event: JsonObject): UpstreamError | undefined {
    const words = this.#options.errorInside?.(event)
    return words === undefined ? errorInside(event) : insideError(words)
  }

  #passed(event: JsonObject): LineVerdict {
    this.frames++
    const type = textAt(event, 'type') ?? ''
    this.#text.addText(textAt(event, 'delta') ?? '')
    if (/^image_\w+\.completed$/.test(type)) this.#images++
    this.#isComplete ||= /(?:\.completed|\.done|^done)$/.test(type)
    this.#usage = this.#options.readUsage(event) ?? this.#usage
    return 'keep'
  }
}
