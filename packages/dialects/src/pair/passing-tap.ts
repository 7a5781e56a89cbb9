import type { ReplyReader } from '../canonical/codec.ts'
import type { ReplyEvent } from '../canonical/event.ts'
import { finishOf, OutputCount } from '../canonical/reading.ts'
import { conversations, type ConversationOperation } from '../conversations.ts'
import type { Finish, Reading, StreamTap, UpstreamError } from '../dialect.ts'
import { parseObject, textAt } from '../json.ts'
import type { ErrorRequest } from '../openai/error.ts'
import { badBody } from '../openai/upstream-error.ts'
import { SseEditor, type LineVerdict } from '../sse.ts'
import type { Usage } from '../usage.ts'
import { closingEvents, OpenParts } from './open-parts.ts'
import type { PairRules } from './pair.ts'
import { StrayBody } from './stray-body.ts'

/** A drawn answer comes as one line of some megabytes. */
const BUFFERED_BYTES_MAX = 32 * 1024 * 1024

export interface PassedPair extends PairRules {
  readonly spoken: ConversationOperation
}

/**
 * Passes the data of a stream on to a caller of the same dialect as it came, and reads it on the way. The `event:` line of
 * each frame is written anew behind what may have been cut, so that frames of ours fit in between.
 */
export class PassingTap implements StreamTap {
  readonly #rules: PassedPair
  readonly #reader: ReplyReader
  readonly #editor: SseEditor
  readonly #count = new OutputCount()
  readonly #open = new OpenParts()
  #start: ReplyEvent | undefined
  #stray: StrayBody | undefined
  #strayReading: Reading | undefined
  #state: 'start' | 'open' | 'closed' = 'start'
  #usage: Usage | undefined
  #finish: Finish | undefined
  #error: UpstreamError | undefined
  #isComplete = false
  frames = 0

  constructor(rules: PassedPair) {
    this.#rules = rules
    this.#reader = conversations[rules.spoken].upstream.openReader(rules.readUsage)
    this.#editor = new SseEditor({
      onData: (bytes, start, end) => this.#judge(bytes.subarray(start, end)),
      bufferedBytesMax: BUFFERED_BYTES_MAX,
      dropsEventLines: true,
    })
  }

  get reading(): Reading {
    if (this.#strayReading !== undefined) return this.#strayReading
    return {
      usage: this.#usage,
      finish: this.#finish,
      outputTokensCounted: this.#count.tokens,
      hasOutput: this.#count.hasOutput,
      isComplete: this.#isComplete,
      error: this.#error,
    }
  }

  push(chunk: Buffer): readonly Buffer[] {
    if (this.#state === 'closed') return []
    if (this.#state === 'start') {
      const isStray = StrayBody.isStray(chunk)
      if (isStray === undefined) return []
      this.#state = 'open'
      if (isStray) this.#stray = new StrayBody()
    }
    if (this.#stray === undefined) return this.#editor.push(chunk)
    this.#stray.add(chunk)
    return []
  }

  end(): readonly Buffer[] {
    if (this.#state === 'closed') return []
    this.#state = 'closed'
    if (this.#stray !== undefined) return this.#endStray(this.#stray)
    const output = this.#editor.end()
    for (const event of this.#reader.end()) this.#note(event)
    if (this.#error === undefined && this.frames === 0) {
      this.#error = badBody(this.#editor.hasStrayLines ? 'bad_response_body' : 'empty_response')
    }
    return output
  }

  cut(): readonly Buffer[] {
    if (this.#state === 'closed' || this.#isComplete) return []
    this.#state = 'closed'
    const writer = this.#rules.caller.openWriter(this.#rules.context)
    if (this.#start !== undefined) writer.push(this.#start)
    const closing = closingEvents(this.#open, { reason: 'length', raw: 'length' })
    const told = closing.filter((event) => event.type !== 'part-end')
    return [...this.#editor.boundary(), ...told.flatMap((event) => writer.push(event))]
  }

  fail(request: ErrorRequest): readonly Buffer[] {
    return this.#rules.caller.openWriter(this.#rules.context).fail(request)
  }

  #endStray(body: StrayBody): readonly Buffer[] {
    const { reading, output } = body.read(this.#rules)
    this.#strayReading = reading
    this.frames += output.length
    return output
  }

  #judge(payload: Buffer): LineVerdict {
    if (this.#isComplete) return 'drop'
    const data = payload.toString()
    for (const event of this.#reader.push({ event: undefined, data })) this.#note(event)
    if (this.#error !== undefined) return 'end'
    this.frames++
    const type = typeOf(data)
    return Buffer.concat([Buffer.from(type === undefined ? 'data: ' : `event: ${type}\ndata: `), payload])
  }

  #note(event: ReplyEvent): void {
    this.#count.push(event)
    this.#open.push(event)
    if (event.type === 'reply-start') this.#start = event
    else if (event.type === 'usage') this.#usage = event.usage
    else if (event.type === 'choice-end') this.#finish ??= finishOf(event.end)
    else if (event.type === 'error') this.#error = event.error
    else if (event.type === 'reply-end') this.#isComplete = true
  }
}

const TYPE = /^\{\s*"type"\s*:\s*"([a-z_.]+)"/

/** Dialects with named events say the name in the data too, nearly always first. */
function typeOf(data: string): string | undefined {
  return (
    TYPE.exec(data)?.[1] ?? (data.includes('"type"') ? textAt(parseObject(data) ?? {}, 'type') : undefined)
  )
}
