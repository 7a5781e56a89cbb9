import type { Ask, Reading, UsageReader } from '../dialect.ts'
import { parseObject, recordAt, textAt } from '../json.ts'
import { SseEditor } from '../stream/sse.ts'
import { noUsage, type Usage } from '../usage.ts'
import { isPaged, streamedSeconds } from './audio-length.ts'
import { isChargedByCharacter, THINNEST, characterTokens, tokensOfSeconds, tokensOfSize } from './input.ts'

export interface SpeechMeterInput {
  readonly ask: Ask
  /** Media type of the response. */
  readonly type: string | undefined
  readonly readUsage: UsageReader
}

/** OpenAI's raw audio: 24,000 samples per second of two bytes each. */
const PCM_BYTES_PER_SECOND = 48_000
/**
 * Sizes of the kept beginning, which must reach past a leading tag, and of the kept end, which must contain a
 * whole Ogg page.
 */
const HEAD_BYTES = 4 * 1024
const TAIL_BYTES = 64 * 1024
const EVENTS_LINE_MAX = 8 * 1024 * 1024

/**
 * Measures speech on its way to the caller: how long it is, and the usage in its events.
 * https://platform.openai.com/docs/api-reference/audio/createSpeech
 */
export class SpeechMeter {
  readonly #input: SpeechMeterInput
  readonly #events: SseEditor | undefined
  #usage: Usage | undefined
  #soundBytes = 0
  #head: Buffer = Buffer.alloc(0)
  #tail: Buffer = Buffer.alloc(0)
  bytes = 0

  constructor(input: SpeechMeterInput) {
    this.#input = input
    if (!/event-stream/i.test(input.type ?? '')) return
    this.#events = new SseEditor({
      onData: (bytes, start, end) => this.#hear(bytes.toString('utf8', start, end)),
      bufferedBytesMax: EVENTS_LINE_MAX,
    })
  }

  get isEventStream(): boolean {
    return this.#events !== undefined
  }

  /** Whether the usage was read, which comes with the last event. */
  get isClosing(): boolean {
    return this.#usage !== undefined
  }

  push(chunk: Buffer): void {
    this.bytes += chunk.length
    if (this.#events !== undefined) return void this.#events.push(chunk)
    this.#soundBytes += chunk.length
    this.#keepEnds(chunk)
  }

  /** For models charged by characters the usage is known exactly from the request. */
  end(): Reading {
    this.#events?.end()
    const { ask } = this.#input
    const isKnown = isChargedByCharacter(ask.model)
    return {
      usage: this.#usage ?? (isKnown ? { ...noUsage, inputText: characterTokens(ask) } : undefined),
      finish: { reason: 'stop', raw: 'stop' },
      outputTokensCounted: isKnown ? 0 : this.#tokens(),
      hasOutput: this.bytes > 0,
      isComplete: true,
      error: undefined,
    }
  }

  #hear(data: string): 'drop' {
    const event = parseObject(data) ?? {}
    this.#soundBytes += Math.floor(((textAt(event, 'audio')?.length ?? 0) * 3) / 4)
    const usage = recordAt(event, 'usage') && this.#input.readUsage(event)
    if (usage !== undefined)
      this.#usage = { ...usage, outputText: 0, outputAudio: usage.outputText + usage.outputAudio }
    return 'drop'
  }

  #keepEnds(chunk: Buffer): void {
    if (this.#head.length < HEAD_BYTES)
      this.#head = Buffer.concat([this.#head, chunk.subarray(0, HEAD_BYTES - this.#head.length)])
    if (!isPaged(this.#head)) return
    this.#tail = chunk.length >= TAIL_BYTES ? chunk : Buffer.concat([this.#tail.subarray(-TAIL_BYTES), chunk])
  }

  #tokens(): number {
    const seconds = this.#seconds()
    return seconds === undefined ? tokensOfSize(this.#soundBytes) : tokensOfSeconds(seconds)
  }

  /** A length from timestamps may be false, so it is limited by what the number of bytes allows. */
  #seconds(): number | undefined {
    const bytes = this.#soundBytes
    if (this.#input.ask.body['response_format'] === 'pcm') return bytes / PCM_BYTES_PER_SECOND
    const seconds = streamedSeconds({ head: this.#head, tail: this.#tail, bytes })
    return seconds && Math.min(seconds, bytes / THINNEST)
  }
}
