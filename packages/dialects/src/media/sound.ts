import type { Ask, Reading, UsageReader } from '../dialect.ts'
import { parseObject, recordAt, textAt } from '../json.ts'
import { SseEditor } from '../sse.ts'
import { noUsage, type Usage } from '../usage.ts'
import { isPaged, passedSeconds } from './audio-length.ts'
import { isPaidByCharacter, THINNEST, spokenTokens, tokensOfSeconds, tokensOfSize } from './input.ts'

export interface SoundReaderInput {
  readonly ask: Ask
  /** The answer's media type. */
  readonly type: string | undefined
  readonly readUsage: UsageReader
}

/** 24,000 samples a second of two bytes, as the dialect has raw sound. */
const PCM_BYTES_PER_SECOND = 48_000
/** Past a tag before the sound itself, and over a whole page of Ogg. */
const HEAD_BYTES = 4 * 1024
const TAIL_BYTES = 64 * 1024
const EVENTS_LINE_MAX = 8 * 1024 * 1024

/**
 * Listens to speech on its way to the caller: how much of it there was, and what its events tell of usage.
 * https://platform.openai.com/docs/api-reference/audio/createSpeech
 */
export class SoundReader {
  readonly #input: SoundReaderInput
  readonly #events: SseEditor | undefined
  #usage: Usage | undefined
  #soundBytes = 0
  #head: Buffer = Buffer.alloc(0)
  #tail: Buffer = Buffer.alloc(0)
  bytes = 0

  constructor(input: SoundReaderInput) {
    this.#input = input
    if (!/event-stream/i.test(input.type ?? '')) return
    this.#events = new SseEditor({
      onData: (bytes, start, end) => this.#hear(bytes.toString('utf8', start, end)),
      bufferedBytesMax: EVENTS_LINE_MAX,
    })
  }

  push(chunk: Buffer): void {
    this.bytes += chunk.length
    if (this.#events !== undefined) return void this.#events.push(chunk)
    this.#soundBytes += chunk.length
    this.#keepEnds(chunk)
  }

  /** What is paid by the character is known to the last one. */
  end(): Reading {
    this.#events?.end()
    const { ask } = this.#input
    const isKnown = isPaidByCharacter(ask.model)
    return {
      usage: this.#usage ?? (isKnown ? { ...noUsage, inputText: spokenTokens(ask) } : undefined),
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

  /** What marks of time say is only believed so far as the size allows. */
  #seconds(): number | undefined {
    const bytes = this.#soundBytes
    if (this.#input.ask.body['response_format'] === 'pcm') return bytes / PCM_BYTES_PER_SECOND
    const seconds = passedSeconds({ head: this.#head, tail: this.#tail, bytes })
    return seconds && Math.min(seconds, bytes / THINNEST)
  }
}
