import { StrayBody } from '../pair/stray-body.ts'
import type { PairRules } from '../pair/pair.ts'
import { finishOf } from '../canonical/reading.ts'
import type { ChoiceEnd } from '../canonical/reply.ts'
import type { Reading, StreamTap, UpstreamError } from '../dialect.ts'
import { parseObject, recordAt, textAt, type JsonObject } from '../json.ts'
import { DeltaScan } from '../openai/delta-scan.ts'
import { badBody, errorInside } from '../openai/upstream-error.ts'
import { SseEditor, type LineVerdict } from '../sse.ts'
import { readEnd, writeEnd } from './ends.ts'
import { laterUsage } from './usage.ts'

/** A longer line is no event of this dialect. */
const BUFFERED_BYTES_MAX = 8 * 1024 * 1024

/**
 * Passes message events on as they come, and reads usage and ends on the way. Deltas, which are nearly all of a stream,
 * are walked over and not parsed. The `event:` line of each is written anew, behind what may have been cut, so that
 * frames of ours fit in between; some who speak this dialect forget it altogether.
 */
export class MessageTap implements StreamTap {
  readonly #rules: PairRules
  readonly #scan = new DeltaScan()
  readonly #editor: SseEditor
  #state: 'start' | 'open' | 'done' | 'closed' = 'start'
  #stray: StrayBody | undefined
  #strayReading: Reading | undefined
  #rawUsage: JsonObject | undefined
  #openBlock: number | undefined
  #end: ChoiceEnd | undefined
  #error: UpstreamError | undefined
  #isComplete = false
  #hasGarbage = false
  frames = 0

  constructor(rules: PairRules) {
    this.#rules = rules
    this.#editor = new SseEditor({
      onData: (bytes, start, end) => this.#judge(bytes.subarray(start, end)),
      onLongLine: () => this.#scan.noteData(),
      bufferedBytesMax: BUFFERED_BYTES_MAX,
      dropsEventLines: true,
    })
  }

  get reading(): Reading {
    if (this.#strayReading !== undefined) return this.#strayReading
    return {
      usage: this.#rawUsage && this.#rules.readUsage({ usage: this.#rawUsage }),
      finish: this.#end && finishOf(this.#end),
      outputTokensCounted: this.#scan.outputTokens,
      hasOutput: this.#scan.hasOutput,
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
    if (this.#error === undefined && this.frames === 0) this.#error = this.#emptyError()
    return output
  }

  cut(): readonly Buffer[] {
    if (this.#state === 'closed' || this.#state === 'done') return []
    this.#state = 'closed'
    this.#end = { reason: 'length', raw: 'max_tokens' }
    const usage = { ...this.#rawUsage, output_tokens: this.#scan.outputTokens }
    return [
      ...this.#editor.boundary(),
      ...(this.#openBlock === undefined ? [] : [frame('content_block_stop', { index: this.#openBlock })]),
      frame('message_delta', { delta: writeEnd(this.#end), usage }),
      frame('message_stop', {}),
    ]
  }

  #endStray(body: StrayBody): readonly Buffer[] {
    const { reading, output } = body.read(this.#rules)
    this.#strayReading = reading
    this.frames += output.length
    return output
  }

  #emptyError(): UpstreamError {
    const isGarbage = this.#hasGarbage || this.#editor.hasStrayLines
    return badBody(isGarbage ? 'bad_response_body' : 'empty_response')
  }

  #judge(payload: Buffer): LineVerdict {
    if (this.#state === 'done') return 'drop'
    if (startsWith(payload, DELTA)) {
      this.#scan.scan(payload, 0, payload.length)
      this.frames++
      return Buffer.concat([DELTA_HEAD, payload])
    }
    const event = parseObject(payload)
    const type = event && textAt(event, 'type')
    if (event === undefined || type === undefined) return this.#dropGarbage()
    this.#error = errorInside(event)
    if (this.#error !== undefined) return 'end'
    if (type !== 'ping') this.frames++
    this.#note(type, event, payload)
    return Buffer.concat([Buffer.from(`event: ${type}\ndata: `), payload])
  }

  #dropGarbage(): LineVerdict {
    this.#hasGarbage = true
    return 'drop'
  }

  #note(type: string, event: JsonObject, payload: Buffer): void {
    if (type === 'message_start') this.#noteUsage(recordAt(event, 'message') ?? {})
    else if (type === 'content_block_start') {
      this.#scan.scan(payload, 0, payload.length)
      this.#openBlock = Number(event['index'] ?? 0)
    } else if (type === 'content_block_delta') this.#scan.scan(payload, 0, payload.length)
    else if (type === 'content_block_stop') this.#openBlock = undefined
    else if (type === 'message_delta') {
      this.#end = readEnd(recordAt(event, 'delta') ?? {}) ?? this.#end
      this.#noteUsage(event)
    } else if (type === 'message_stop') {
      this.#state = 'done'
      this.#isComplete = true
    }
  }

  #noteUsage(holder: JsonObject): void {
    const told = recordAt(holder, 'usage')
    if (told !== undefined) this.#rawUsage = laterUsage(this.#rawUsage, told)
  }
}

const DELTA = Buffer.from('{"type":"content_block_delta"')
const DELTA_HEAD = Buffer.from('event: content_block_delta\ndata: ')

function startsWith(bytes: Buffer, head: Buffer): boolean {
  return bytes.length >= head.length && bytes.compare(head, 0, head.length, 0, head.length) === 0
}

function frame(type: string, members: JsonObject): Buffer {
  return Buffer.from(`event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`)
}
