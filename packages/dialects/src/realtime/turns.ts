import { parseObject, recordAt, recordsAt, textAt, type JsonObject } from '../json.ts'
import { TokenEstimate } from '../tokens/estimate.ts'
import { noUsage, type Usage } from '../usage.ts'
import type { CallerFrame } from './caller-frame.ts'
import { AUDIO_TOKENS_PER_MINUTE, readTranscriptUsage, readTurnUsage } from './usage.ts'

/** Usage of one finished response of a session, or of one transcript of the caller's speech. */
export interface ConversationTurn {
  readonly usage: Usage
  /** Whether the usage was counted locally, because the upstream reported none or an implausible one. */
  readonly isEstimated: boolean
}

export interface TurnOptions {
  /** Whether a reported usage is plausible for one response. */
  readonly isCredible: (usage: Usage) => boolean
}

const TOKENS_PER_TOOL = 8
/** Tokens per minute of output audio: 200 tokens for 0.24 minutes. */
const SPOKEN_PER_MINUTE = 200 / 0.24

/**
 * Reads both sides of a session and returns the usage of each response and of each transcript: the usage that
 * the upstream reports, otherwise local counts since the last one. Frames are only read and never changed; a
 * frame that is not JSON is ignored.
 */
export class TurnCounter {
  #input = new SideCount(AUDIO_TOKENS_PER_MINUTE)
  #output = new SideCount(SPOKEN_PER_MINUTE)
  #tools: readonly JsonObject[] = []
  #isFirst = true
  #isSpeaking = false
  /** Input audio since the last transcript, and the text transcribed from it. */
  #spoken = new SideCount(AUDIO_TOKENS_PER_MINUTE)
  #isTranscribing = false
  readonly #options: TurnOptions

  constructor(options: TurnOptions) {
    this.#options = options
  }

  /** Whether a response has begun and not ended. */
  get isSpeaking(): boolean {
    return this.#isSpeaking
  }

  fromCaller({ event, soundCharacters }: CallerFrame): void {
    const type = textAt(event, 'type')
    if (type === 'input_audio_buffer.append') {
      this.#input.hear(soundCharacters)
      this.#spoken.hear(soundCharacters)
    }
    if (type === 'session.update') this.#instruct(recordAt(event, 'session') ?? {})
  }

  /** Returns the turn that this frame ends. */
  fromUpstream(frame: string): ConversationTurn | undefined {
    const event = parseObject(frame)
    const type = event && textAt(event, 'type')
    if (event === undefined || type === undefined) return undefined
    if (type === 'response.done') return this.#done(recordAt(event, 'response') ?? {})
    const step = /\.input_audio_transcription\.(\w+)$/.exec(type)?.[1]
    if (step !== undefined) return this.#transcribed(step, event)
    if (type === 'response.created') this.#isSpeaking = true
    else if (type === 'session.created' || type === 'session.updated') this.#settled(event)
    else if (/^conversation\.item\.(?:created|added)$/.test(type)) this.#written(event)
    else if (/^response\.(?:output_)?audio\.delta$/.test(type))
      this.#output.hear(textAt(event, 'delta')?.length ?? 0)
    else if (/^response\..+\.delta$/.test(type)) this.#output.read(textAt(event, 'delta'))
    return undefined
  }

  /** Usage of a response that has not ended; `undefined` if none has begun. */
  rest(): ConversationTurn | undefined {
    return this.#isSpeaking ? this.#counted() : undefined
  }

  /** Usage of a transcript that has not ended; `undefined` if none has begun. */
  restOfTranscript(): ConversationTurn | undefined {
    return this.#isTranscribing ? this.#countedTranscript() : undefined
  }

  /**
   * Counts the text of a transcript piece by piece. Its end may report usage in tokens, in seconds, or not at
   * all.
   */
  #transcribed(step: string, event: JsonObject): ConversationTurn | undefined {
    if (step === 'delta' || step === 'segment') {
      this.#isTranscribing = true
      this.#spoken.read(textAt(event, step === 'delta' ? 'delta' : 'text'))
    }
    if (step !== 'completed') return undefined
    const reported = readTranscriptUsage(event)
    const isReported = reported !== undefined && this.#options.isCredible(reported)
    if (!this.#isTranscribing) this.#spoken.read(textAt(event, 'transcript'))
    const turn = isReported ? { usage: reported, isEstimated: false } : this.#countedTranscript()
    this.#spoken = this.#spoken.fresh()
    this.#isTranscribing = false
    return turn
  }

  #countedTranscript(): ConversationTurn {
    const { audio: inputAudio, text: outputText } = this.#spoken
    return { usage: { ...noUsage, inputAudio, outputText }, isEstimated: true }
  }

  #done(response: JsonObject): ConversationTurn {
    const received = readTurnUsage(response)
    const isTold = received !== undefined && this.#options.isCredible(received)
    const turn = isTold ? { usage: received, isEstimated: false } : this.#counted()
    this.#input = this.#input.fresh()
    this.#output = this.#output.fresh()
    this.#isSpeaking = false
    this.#isFirst = false
    return turn
  }

  #counted(): ConversationTurn {
    if (!this.#isFirst) for (const tool of this.#tools) this.#input.define(tool)
    const usage = {
      ...noUsage,
      inputText: this.#input.text,
      inputAudio: this.#input.audio,
      outputText: this.#output.text,
      outputAudio: this.#output.audio,
    }
    return { usage, isEstimated: true }
  }

  #instruct(session: JsonObject): void {
    this.#input.read(textAt(session, 'instructions'))
  }

  /** The upstream repeats the current session settings, such as formats and tools. */
  #settled(event: JsonObject): void {
    const session = recordAt(event, 'session') ?? {}
    const audio = recordAt(session, 'audio') ?? {}
    this.#input.format = formatOf(session['input_audio_format'] ?? recordAt(audio, 'input')?.['format'])
    this.#spoken.format = this.#input.format
    this.#output.format = formatOf(session['output_audio_format'] ?? recordAt(audio, 'output')?.['format'])
    this.#tools = recordsAt(session, 'tools')
  }

  #written(event: JsonObject): void {
    for (const part of recordsAt(recordAt(event, 'item') ?? {}, 'content')) {
      if (part['type'] === 'input_text') this.#input.read(textAt(part, 'text'))
    }
  }
}

/** Formats are given by name, or as an object with a type. Absent: 24,000 samples per second of two bytes. */
function formatOf(format: unknown): string {
  const name = typeof format === 'object' && format !== null && 'type' in format ? format.type : format
  return typeof name === 'string' ? name : PCM
}

const PCM = 'pcm16'
const PCM_BYTES_PER_MINUTE = 60 * 2 * 24_000
const OTHER_BYTES_PER_MINUTE = 60 * 8_000

/** Local counts of one side since the last turn. */
class SideCount {
  readonly #tokensPerMinute: number
  readonly #text = new TokenEstimate()
  #minutes = 0
  #structure = 0
  format = PCM

  constructor(tokensPerMinute: number) {
    this.#tokensPerMinute = tokensPerMinute
  }

  get text(): number {
    return this.#text.tokens + this.#structure
  }

  get audio(): number {
    return Math.floor(this.#minutes * this.#tokensPerMinute)
  }

  read(text = ''): void {
    this.#text.separate()
    this.#text.addText(text)
  }

  /** Adds audio, given by its number of base64 characters. */
  hear(characters: number): void {
    const bytes = Math.floor((characters * 3) / 4)
    const isPcm = this.format === PCM || this.format === 'audio/pcm'
    this.#minutes += bytes / (isPcm ? PCM_BYTES_PER_MINUTE : OTHER_BYTES_PER_MINUTE)
  }

  define(tool: JsonObject): void {
    this.read(JSON.stringify(tool))
    this.#structure += TOKENS_PER_TOOL
  }

  fresh(): SideCount {
    const side = new SideCount(this.#tokensPerMinute)
    side.format = this.format
    return side
  }
}
