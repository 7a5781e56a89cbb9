import type { Ask, Reading, UsageReader } from '../dialect.ts'
import { parseObject, recordAt, textAt } from '../json.ts'
import { SseEditor } from '../sse.ts'
import { noUsage, type Usage } from '../usage.ts'
import { isPaidByCharacter, spokenTokens, tokensOfSeconds, tokensOfSize } from './input.ts'

export interface SoundReaderInput {
  readonly ask: Ask
  /** The answer's media type. */
  readonly type: string | undefined
  readonly readUsage: UsageReader
}

/** 24,000 samples a second of two bytes, as the dialect has raw sound. */
const PCM_BYTES_PER_SECOND = 48_000
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
    if (this.#events === undefined) this.#soundBytes += chunk.length
    else this.#events.push(chunk)
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

  #tokens(): number {
    const isRaw = this.#input.ask.body['response_format'] === 'pcm'
    return isRaw ? tokensOfSeconds(this.#soundBytes / PCM_BYTES_PER_SECOND) : tokensOfSize(this.#soundBytes)
  }
}
