import type { ReplyWriter, WriteContext } from '../canonical/codec.ts'
import type { ReplyEvent, TextDelta } from '../canonical/event.ts'
import type { Part } from '../canonical/part.ts'
import type { JsonObject } from '../json.ts'
import type { ErrorRequest } from '../errors/render-error.ts'
import type { Usage } from '../usage.ts'
import { writeGeminiError } from './error.ts'
import { writeFinish } from './finish.ts'
import { GroundingWriter, writeGrounding } from './grounding.ts'
import { writeGeminiUsage } from './usage.ts'
import { HeldCalls } from './held-calls.ts'
import { writeTokenLogprobs } from './logprobs.ts'
import { keepOnePart, headOf, writeAnswerPart } from './write-reply.ts'
import type { GeminiPart } from './write-parts.ts'

/** Framing of the fragments: server-sent events, or the items of a single JSON list. */
export type Framing = 'sse' | 'array'

/**
 * Writes fragments of a `GenerateContentResponse`. Text is sent piece by piece; anything that the format can
 * only send whole (a call with its arguments, an image) is buffered until it is complete. The last fragment
 * carries the finished calls, the finish reason and the usage.
 */
export class GeminiStreamWriter implements ReplyWriter {
  readonly #context: WriteContext
  readonly #framing: Framing
  readonly #open = new Map<number, Part>()
  readonly #grounds = new Map<number, GroundingWriter>()
  readonly #ends: JsonObject[] = []
  readonly #calls = new HeldCalls()
  #id = ''
  #usage: Usage | undefined
  #fragments = 0
  #isOver = false

  constructor(context: WriteContext, framing: Framing) {
    this.#context = context
    this.#framing = framing
  }

  push(event: ReplyEvent): readonly Buffer[] {
    if (this.#isOver || event.type === 'error') return []
    if (event.type === 'reply-start') this.#id = event.id
    else if (event.type === 'usage') this.#usage = event.usage
    else if (event.type === 'reply-end') return this.#end()
    else if (event.type === 'choice-end') this.#ends.push(this.#endOf(event))
    else return this.#inPart(event)
    return []
  }

  /** In a JSON list the error is the last item; in server-sent events it is a separate frame. */
  fail(request: ErrorRequest): readonly Buffer[] {
    if (this.#isOver) return []
    const calls = this.flush()
    this.#isOver = true
    const { body } = writeGeminiError(request)
    return [...calls, this.#framed(body.toString()), ...this.#close()]
  }

  /** Sends the finished calls at once, where the end may be long in coming. */
  flush(): readonly Buffer[] {
    if (this.#isOver) return []
    return this.#calls.takeAll().flatMap(([choice, parts]) => this.#fragment(choice, parts))
  }

  #inPart(event: Extract<ReplyEvent, { part: number }>): readonly Buffer[] {
    const { choice } = event
    if (event.type === 'part-start') {
      this.#open.set(choice, event.opening)
      if (event.opening.type === 'search' || event.opening.type === 'text')
        this.#groundsAt(choice).open(event.opening)
      return []
    }
    const part = this.#open.get(choice)
    if (part === undefined) return []
    if (event.type === 'part-end') {
      this.#open.delete(choice)
      if (part.type === 'tool-call') return this.#keepCall(choice, part)
      return this.#fragment(
        choice,
        writeAnswerPart(streams(part) ? { ...part, text: '' } : part).filter(saysMore),
      )
    }
    if (event.type === 'text-delta' && part.type === 'text') this.#groundsAt(choice).say(event.text)
    if (event.type === 'text-delta') return this.#fragment(choice, pieceOf(part, event.text), event.logprobs)
    if (event.type === 'signature-delta' && part.type === 'reasoning')
      return this.#fragment(
        choice,
        writeAnswerPart({ ...part, text: '', signature: event.signature }).filter(saysMore),
      )
    if (event.type === 'citation-delta') this.#groundsAt(choice).cite(event.citation)
    this.#open.set(choice, filled(part, event))
    return []
  }

  #groundsAt(choice: number): GroundingWriter {
    const grounds = this.#grounds.get(choice) ?? new GroundingWriter()
    this.#grounds.set(choice, grounds)
    return grounds
  }

  #keepCall(choice: number, call: Part): readonly Buffer[] {
    for (const part of writeAnswerPart(call)) this.#calls.add(choice, part)
    return this.#calls.isFull ? this.flush() : []
  }

  #endOf({ choice, end }: Extract<ReplyEvent, { type: 'choice-end' }>): JsonObject {
    const grounds = this.#grounds.get(choice)
    const groundingMetadata = grounds && writeGrounding(grounds)
    const content = { parts: keepOnePart(this.#calls.take(choice)), role: 'model' }
    return { content, finishReason: writeFinish(end), groundingMetadata, index: choice }
  }

  #fragment(
    index: number,
    parts: readonly GeminiPart[],
    logprobs?: TextDelta['logprobs'],
  ): readonly Buffer[] {
    if (parts.length === 0) return []
    const content = { parts, role: 'model' }
    const more = logprobs === undefined ? undefined : writeTokenLogprobs(logprobs)
    return [this.#written([more === undefined ? { content, index } : { content, ...more, index }])]
  }

  #end(): readonly Buffer[] {
    this.#isOver = true
    return [this.#written(this.#ends), ...this.#close()]
  }

  #written(candidates: readonly JsonObject[]): Buffer {
    const usage = this.#usage === undefined ? {} : { usageMetadata: writeGeminiUsage(this.#usage) }
    return this.#framed(JSON.stringify({ candidates, ...usage, ...headOf({ id: this.#id }, this.#context) }))
  }

  #framed(json: string): Buffer {
    const isFirst = this.#fragments++ === 0
    if (this.#framing === 'sse') return Buffer.from(`data: ${json}\r\n\r\n`)
    return Buffer.from(`${isFirst ? '[' : ',\r\n'}${json}`)
  }

  #close(): readonly Buffer[] {
    return this.#framing === 'array' ? [Buffer.from(']')] : []
  }
}

type Streaming = Extract<Part, { type: 'text' | 'reasoning' | 'refusal' }>

/** Whether parts of this type are sent piece by piece. */
function streams(part: Part): part is Streaming {
  return part.type === 'text' || part.type === 'reasoning' || part.type === 'refusal'
}

/** Each piece becomes a part of its own. Citations and signatures of a text follow its last piece. */
function pieceOf(part: Part, text: string): GeminiPart[] {
  if (!streams(part)) return []
  const { extras: _extras, ...plain } = part
  return writeAnswerPart({ ...plain, text })
}

function saysMore(part: GeminiPart): boolean {
  return part['text'] !== '' || part['thoughtSignature'] !== undefined
}

function filled(part: Part, event: Extract<ReplyEvent, { part: number }>): Part {
  if (event.type === 'arguments-delta' && part.type === 'tool-call')
    return { ...part, arguments: part.arguments + event.text }
  if (event.type === 'signature-delta' && part.type === 'tool-call')
    return { ...part, signature: event.signature }
  if (event.type === 'audio-delta' && part.type === 'audio' && part.source.type === 'data')
    return { ...part, source: { ...part.source, base64: part.source.base64 + event.base64 } }
  return part
}
