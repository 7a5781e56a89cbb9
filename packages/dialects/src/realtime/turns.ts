import { parseObject, recordAt, recordsAt, textAt, type JsonObject } from '../json.ts'
import { fillLostCounts, inputTokens, noUsage, outputTokens, type Usage } from '../usage.ts'
import type { CallerFrame } from './caller-frame.ts'
import { type NewAnswer, type OpenAnswer, OpenAnswers } from './open-answers.ts'
import { type OpenTranscript, OpenTranscripts } from './open-transcripts.ts'
import {
  countAudio,
  readAnswerRequest,
  readItem,
  readMetadata,
  type SessionRequest,
  SessionRequests,
} from './requests.ts'
import {
  addTokens,
  type CountedTokens,
  pickLarger,
  noTokens,
  SideCount,
  subtractTokens,
  wholeTokens,
} from './side-count.ts'
import { AUDIO_TOKENS_PER_MINUTE, readTranscriptUsage, readTurnUsage } from './usage.ts'

/** Usage of one finished answer of a session, or of one transcript of the caller's speech. */
export interface ConversationTurn {
  readonly usage: Usage
  /** Whether the usage was counted locally, because the upstream reported none or an implausible one. */
  readonly isEstimated: boolean
}

export interface TurnOptions {
  /** Whether a reported usage is plausible for one answer. */
  readonly isCredible: (usage: Usage) => boolean
}

/**
 * Reads both sides of a session and returns the usage of each answer and of each transcript: the usage that
 * the upstream reports, otherwise local counts. Many can be under way at once, and what the caller requested
 * counts as under way before the upstream begins it. Frames are only read and never changed; a frame that is
 * not JSON is ignored.
 */
export class TurnCounter {
  readonly #input = new SideCount(AUDIO_TOKENS_PER_MINUTE)
  /** Up to here answers that ended have read the input. */
  #readUpTo: CountedTokens = noTokens
  #tools: readonly JsonObject[] = []
  #isFirst = true
  #isTranscribing = false
  readonly #answers = new OpenAnswers()
  readonly #transcripts = new OpenTranscripts()
  readonly #requests = new SessionRequests()
  readonly #options: TurnOptions

  constructor(options: TurnOptions) {
    this.#options = options
  }

  /** Whether an answer or a transcript was requested or has begun, and has not ended. */
  get isBusy(): boolean {
    return this.openTurns > 0
  }

  get openTurns(): number {
    return this.#answers.size + this.#transcripts.size + this.#requests.size
  }

  /** Whether the upstream was working on something when it left. */
  get hasBegun(): boolean {
    return this.#answers.size + this.#transcripts.size > 0
  }

  fromCaller({ event, soundCharacters }: CallerFrame, now: number): void {
    const type = textAt(event, 'type')
    if (type === 'response.create') this.#requests.add(readAnswerRequest(event, now))
    else if (type === 'session.update')
      this.#input.read(textAt(recordAt(event, 'session') ?? {}, 'instructions'))
    else if (type === 'input_audio_buffer.commit') this.#requestTranscript(event, now)
    else if (type === 'input_audio_buffer.append') {
      this.#input.hear(soundCharacters)
      this.#transcripts.hear(soundCharacters)
    }
    // The upstream repeats the text of the item, but not its audio.
    else if (type === 'conversation.item.create') countAudio(recordAt(event, 'item') ?? {}, this.#input)
  }

  /** Returns the turn that this frame ends. */
  fromUpstream(frame: string): ConversationTurn | undefined {
    const event = parseObject(frame)
    const type = event && textAt(event, 'type')
    if (event === undefined || type === undefined) return undefined
    if (type === 'response.done') return this.#endAnswer(recordAt(event, 'response') ?? {})
    const step = /\.input_audio_transcription\.(\w+)$/.exec(type)?.[1]
    if (step !== undefined) return this.#transcribe(step, event)
    if (type.startsWith('response.')) this.#continueAnswer(type, event)
    else if (type === 'error') this.#requests.refuse(textAt(recordAt(event, 'error') ?? {}, 'event_id'))
    else if (type === 'input_audio_buffer.committed') this.#beginTranscript(event)
    else if (/^(?:transcription_)?session\.(?:created|updated)$/.test(type)) this.#setSession(event)
    else if (/^conversation\.item\.(?:created|added)$/.test(type))
      readItem(recordAt(event, 'item') ?? {}, this.#input)
    return undefined
  }

  /** Forgets requests from before this time that the upstream has not taken up. */
  forgetRequests(before: number): void {
    this.#requests.forgetBefore(before)
  }

  /** The local counts of all answers and transcripts that have begun and not ended. */
  begun(): readonly ConversationTurn[] {
    const answers = this.#answers.all.map((answer) => this.#countAnswer(answer))
    return [...answers, ...this.#transcripts.all.map(countTranscript)]
  }

  /** What the requests that were not taken up, and not refused, gave the upstream to read. */
  requested(): readonly ConversationTurn[] {
    return this.#requests.answers.flatMap((request) => {
      if (request.mayBeRefused) return []
      const { text, audio } = this.#newAnswer(undefined, request).input
      if (text + audio === 0) return []
      return { usage: { ...noUsage, inputText: text, inputAudio: wholeTokens(audio) }, isEstimated: true }
    })
  }

  #continueAnswer(type: string, event: JsonObject): void {
    const response = recordAt(event, 'response') ?? {}
    const id = textAt(event, 'response_id') ?? textAt(response, 'id')
    if (type === 'response.created') return this.#beginAnswer(id, response)
    const isDelta = type.endsWith('.delta')
    if (this.#answers.hasEnded(id) || (id === undefined && !isDelta)) return
    // Some upstreams do not announce their answers.
    const answer = this.#answers.find(id) ?? this.#openAnswer(id, response)
    if (!isDelta) return
    const delta = textAt(event, 'delta')
    if (/^response\.(?:output_)?audio\.delta$/.test(type)) answer.output.hear(delta?.length ?? 0)
    else answer.output.read(delta)
  }

  #beginAnswer(id: string | undefined, response: JsonObject): void {
    if (id === undefined || !this.#answers.has(id)) this.#openAnswer(id, response)
  }

  #openAnswer(id: string | undefined, response: JsonObject): OpenAnswer {
    const request = this.#requests.takeAnswer(readMetadata(response))
    return this.#answers.open(this.#newAnswer(id, request))
  }

  #newAnswer(id: string | undefined, request: SessionRequest | undefined): NewAnswer {
    const own = request?.input ?? noTokens
    if (request?.readsConversation === false) return { id, input: own, readUpTo: noTokens }
    const readUpTo = this.#input.tokens
    return { id, input: addTokens(own, subtractTokens(readUpTo, this.#readUpTo)), readUpTo }
  }

  #endAnswer(response: JsonObject): ConversationTurn {
    const id = textAt(response, 'id')
    const answer = this.#answers.findEnding(id) ?? this.#openAnswer(id, response)
    const usage = readTurnUsage(response)
    const isReported = usage !== undefined && this.#options.isCredible(usage)
    const turn = isReported ? fillTurn(usage, () => this.#countAnswer(answer)) : this.#countAnswer(answer)
    this.#answers.end(answer, id)
    this.#readUpTo = pickLarger(this.#readUpTo, answer.readUpTo)
    this.#isFirst = false
    return turn
  }

  #countAnswer({ input, output }: OpenAnswer): ConversationTurn {
    const tools = new SideCount(AUDIO_TOKENS_PER_MINUTE)
    if (!this.#isFirst) for (const tool of this.#tools) tools.define(tool)
    const { text: outputText } = output.tokens
    const inputText = input.text + tools.tokens.text
    const audio = { inputAudio: wholeTokens(input.audio), outputAudio: wholeTokens(output.tokens.audio) }
    return { usage: { ...noUsage, inputText, outputText, ...audio }, isEstimated: true }
  }

  #requestTranscript(event: JsonObject, askedAt: number): void {
    if (!this.#isTranscribing) return
    const request = readAnswerRequest({ event_id: event['event_id'] }, askedAt)
    this.#requests.add({ ...request, type: 'transcript' })
  }

  #beginTranscript(event: JsonObject): void {
    this.#requests.takeTranscript()
    if (this.#isTranscribing) this.#transcripts.open(textAt(event, 'item_id') ?? '')
  }

  /**
   * Counts the text of a transcript piece by piece. Its end may report usage in tokens, in seconds, or not at
   * all.
   */
  #transcribe(step: string, event: JsonObject): ConversationTurn | undefined {
    const transcript = this.#transcripts.open(textAt(event, 'item_id') ?? '')
    if (step === 'delta' || step === 'segment') {
      transcript.hasText = true
      transcript.text.read(textAt(event, step === 'delta' ? 'delta' : 'text'))
    }
    if (step === 'failed') return this.#endFailed(transcript)
    if (step !== 'completed') return undefined
    if (!transcript.hasText) transcript.text.read(textAt(event, 'transcript'))
    this.#transcripts.end(transcript)
    const usage = readTranscriptUsage(event)
    const isReported = usage !== undefined && this.#options.isCredible(usage)
    return isReported ? fillTurn(usage, () => countTranscript(transcript)) : countTranscript(transcript)
  }

  /** A transcript that failed is charged if a part of it was delivered. */
  #endFailed(transcript: OpenTranscript): ConversationTurn | undefined {
    this.#transcripts.end(transcript)
    return transcript.hasText ? countTranscript(transcript) : undefined
  }

  /** The upstream repeats the current session settings, such as formats and tools. */
  #setSession(event: JsonObject): void {
    const session = recordAt(event, 'session') ?? {}
    const audio = recordAt(session, 'audio') ?? {}
    const input = recordAt(audio, 'input') ?? {}
    const inputFormat = session['input_audio_format'] ?? input['format']
    this.#input.setFormat(inputFormat)
    this.#transcripts.setFormat(inputFormat)
    this.#answers.setFormat(session['output_audio_format'] ?? recordAt(audio, 'output')?.['format'])
    this.#tools = recordsAt(session, 'tools')
    this.#isTranscribing =
      (recordAt(session, 'input_audio_transcription') ?? recordAt(input, 'transcription')) !== undefined
  }
}

function countTranscript({ audio, text }: OpenTranscript): ConversationTurn {
  const usage = { ...noUsage, inputAudio: wholeTokens(audio), outputText: text.tokens.text }
  return { usage, isEstimated: true }
}

/** A reported usage, with the gateway's own counts for those that it has lost. */
function fillTurn(usage: Usage, count: () => ConversationTurn): ConversationTurn {
  if (usage.lost === undefined) return { usage, isEstimated: false }
  const { usage: counted } = count()
  const own = { input: () => inputTokens(counted), output: () => outputTokens(counted) }
  return { usage: fillLostCounts(usage, own), isEstimated: true }
}
